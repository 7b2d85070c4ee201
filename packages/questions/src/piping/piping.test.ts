import { describe, expect, test } from "vitest";
import { ask, linesOf, page } from "../../test/sample-survey.ts";
import type { Question, SurveyDefinition } from "../definition.ts";
import { finish } from "../finish.ts";
import { keyedIds } from "../document/document-keys.ts";
import { noFormer } from "../document/former-survey.ts";
import { readingDocument } from "../document/read-document.ts";
import { writingDocument } from "../document/write-document.ts";
import { checkDefinition } from "../structure/check-definition.ts";
import { orderElements } from "../structure/order-elements.ts";
import { removeElement } from "../structure/remove-element.ts";
import { dateTime } from "../types/date-time.ts";
import { describingDefinition } from "./described-texts.ts";
import { pipedQuestion, pipedText, pipedValues } from "./piped-values.ts";
import { mapTemplates } from "./piped-texts.ts";
import { nameResolver, namesForIds, resolvePageTitle } from "./resolve-names.ts";
import { resolveSettings, settingTemplateViolations } from "./setting-templates.ts";

const choices = ["Soup", "Cake", "Tea"];
const dish = {
  ...ask("dish000000000000", "multiple_choice", { text: "Dishes?", choices, multipleAnswers: true }),
  name: "dish",
};
const when = { ...ask("when000000000000", "date_time", { text: "When?" }), name: "visit" };
const grid = ask("grid000000000000", "matrix", { text: "Rate", rows: ["a"], columns: ["b"] });
const idOf = (index: number) => dish.choices![index]!.id;

function surveyWith(text: string, fields: object = {}): SurveyDefinition {
  const asked = { ...ask("last000000000000", "dropdown", { text: "x", choices: ["a", "b"] }), text, ...fields };
  const later = { ...ask("next000000000000", "short_text", { text: "After" }), name: "after" };
  const named: SurveyDefinition = {
    pages: [
      page("page0000000000000".slice(1), [dish, when, grid]),
      page("loop000000000000", [ask("item000000000000", "number", { text: "{{loop}}?" })], {
        loop: { elementId: dish.elementId },
        title: "{{loop|item}}",
      }),
      page("end0000000000000", [asked, later]),
    ],
    fields: [{ name: "Customer", type: "text" }],
  };
  const resolve = nameResolver(named);
  const pages = named.pages.map((one) => {
    const elements = one.elements.map((question) => mapTemplates(question, resolve));
    return resolvePageTitle({ ...one, elements }, resolve);
  });
  return { ...named, pages };
}

const textIn = (definition: SurveyDefinition) => definition.pages[2]!.elements[0]!.text;

test("names are stored as ids, and read by description", () => {
  const definition = surveyWith(String.raw`{{DISH|it}} {{field.customer}} {{contact.firstName|you}} \{{dish}}`);
  expect(textIn(definition)).toBe(
    String.raw`{{dish000000000000|it}} {{field.Customer}} {{contact.firstName|you}} \{{dish}}`,
  );
  expect(checkDefinition(definition)).toEqual([]);
  const described = finish(describingDefinition(definition));
  expect(textIn(described)).toBe("[dish] [Customer] [firstName] {{dish}}");
  expect(described.pages[1]!.title).toBe("[loop]");
});

test.each([
  ["{{nobody}}", "must name an element of the survey"],
  ["{{after}}", "must name an element of the survey, with its name or id, that comes before"],
  ["{{last000000000000}}", "that comes before"],
  ["{{grid000000000000}}", "must not name a question of type matrix"],
  ["{{item000000000000}}", "must not name a question of another page that repeats"],
  ["{{field.nothing}}", "must name a field of the survey"],
  ["{{contact.email}}", "must name an element, field.<name>, contact.firstName or loop"],
  ["{{loop}}", "is only for a page that repeats"],
  ["{{dish|{{visit}}}}", "has braces inside"],
  ["{{dish", "has {{ without }}"],
])("%s is a violation at its place", (text, message) => {
  expect(linesOf(checkDefinition(surveyWith(text)))).toEqual([expect.stringMatching(/^pages\.2\.elements\.0\.text /)]);
  expect(checkDefinition(surveyWith(text))[0]).toMatchObject({
    code: "piping_broken",
    message: expect.stringContaining(message) as string,
  });
});

test("every violation of every text is reported", () => {
  const choices = [{ ...surveyWith("x").pages[2]!.elements[0]!.choices![0]!, text: "{{no}}" }];
  const must = { elementId: "dish000000000000", operator: "answered" as const };
  const logic = { constraints: [{ must, message: "{{last000000000000}} {{after}}" }] };
  const definition = surveyWith("{{a}} {{b}} {{", { helpText: "{{c}}", choices, logic });
  expect(checkDefinition(definition).map(({ path }) => path)).toEqual(
    ["text", "text", "text", "helpText", "choices.0.text", "constraints.0.message"].map(
      (path) => `pages.2.elements.0.${path}`,
    ),
  );
});

test("an element goes with its placeholders, whose defaults stay", () => {
  const definition = surveyWith("{{visit}}{{visit|then}} {{dish}}", { helpText: "{{visit}}" });
  const removal = removeElement(definition, when.elementId);
  if ("violations" in removal) throw new Error("not removed");
  expect(removal.definition.pages[2]!.elements[0]).toMatchObject({ text: "then {{dish000000000000}}", helpText: "…" });
  expect(checkDefinition(removal.definition)).toEqual([]);
  expect(removal.definition.pages[1]).toBe(definition.pages[1]);
});

test("an order in which an element comes before one that it refers to is refused", () => {
  const { pages, ...lists } = surveyWith("{{dish}}");
  const definition = {
    ...lists,
    pages: [{ ...pages[0]!, elements: [dish, { ...when, text: "{{dish000000000000}}?" }] }],
  };
  const elementIds = [when.elementId, dish.elementId];
  const ordered = finish(orderElements(definition, { pageId: pages[0]!.pageId, elementIds }));
  expect(ordered).toMatchObject({ violations: [{ path: "pages.0.elements.0.text" }] });
});

test("a long chain of labels that refer to previous answers has a value, and hides what is not shown", () => {
  const link = (at: number): Question => {
    const question = ask(`e${at}`, "multiple_choice", { choices: ["A", "B"] });
    const text = at === 0 ? "first" : `{{e${at - 1}|none}}`;
    return { ...question, choices: question.choices!.map((choice) => ({ ...choice, text })) };
  };
  const questions = Array.from({ length: 500 }, (_, at) => link(at));
  const pages = Array.from({ length: 5 }, (_, at) => page(`p${at}`, questions.slice(at * 100, (at + 1) * 100)));
  const definition = { pages };
  expect(checkDefinition(definition)).toEqual([]);
  const answers = new Map(questions.map(({ elementId, choices }) => [elementId, choices![0]!.id]));
  const valueOf = (known: typeof answers) =>
    pipedValues(definition, known, { language: "en", fields: {} })({ page: null, itemId: null })("e499");
  expect(valueOf(answers)).toBe("first");
  answers.delete("e3");
  expect(valueOf(answers)).toBe("none");
});

test("names in the place of ids read back as they were, or the ids stay", () => {
  const definition = surveyWith("x");
  const [named, resolve] = [namesForIds(definition), nameResolver(definition)];
  const text = "{{dish000000000000}}, {{when000000000000|one day}}, {{gone000000000000}}";
  expect(named(text)).toBe("{{dish}}, {{visit|one day}}, {{gone000000000000}}");
  expect(resolve(named(text))).toBe(text);
  expect(named("{{ dish000000000000 }}")).toBe("{{ dish000000000000 }}");
});

describe("for a respondent", () => {
  const valueOf = (answers: Record<string, unknown>, language = "en", itemId: string | null = null) => {
    const definition = surveyWith("x");
    const known = { language, fields: { Customer: "Ann" }, firstName: "" };
    const visit = { page: definition.pages[itemId === null ? 2 : 1]!, itemId };
    return pipedValues(definition, new Map(Object.entries(answers)), known)(visit);
  };
  const chosen = { dish000000000000: [idOf(0), idOf(2)], when000000000000: "2026-01-31" };

  test("labels, dates and fields are worded in the language", () => {
    const resolve = nameResolver(surveyWith("x"));
    const text = resolve("{{dish}}, {{visit}}, {{field.customer}}, {{contact.firstName|friend}}");
    expect(pipedText(text, valueOf(chosen))).toBe("Soup and Tea, January 31, 2026, Ann, friend");
    expect(pipedText(text, valueOf(chosen, "de"))).toBe("Soup und Tea, 31. Januar 2026, Ann, friend");
    expect(pipedText(text, valueOf(chosen, "no language"))).toContain("Soup");
    expect(pipedText(text, valueOf({}))).toBe(", , Ann, friend");
    expect(pipedText("{{loop}}", valueOf(chosen, "en", idOf(2)))).toBe("Tea");
  });

  test.each(["2026-01-31T17:30:00Z", "2026-01-31t17:30:00z", "2026-01-31T17:30-11:00"])(
    "the time of %s is that which was entered",
    (answer) => {
      const question = ask("at", "date_time", { typeSettings: { mode: "datetime" } });
      expect(dateTime.checkValue(question, answer)).toEqual([]);
      expect(dateTime.pipedText!(question, answer, "de")).toBe("31. Januar 2026 um 17:30");
    },
  );

  test("an answer off the path counts as no answer", () => {
    const definition = surveyWith("{{visit|never}}");
    const [first, ...others] = definition.pages as [SurveyDefinition["pages"][number]];
    const hidden = { ...when, logic: { showIf: { elementId: dish.elementId, operator: "answered" as const } } };
    const logical = { ...definition, pages: [{ ...first, elements: [dish, hidden, grid] }, ...others] };
    const text = (answers: Record<string, unknown>) =>
      pipedQuestion(
        logical.pages[2]!.elements[0]!,
        pipedValues(logical, new Map(Object.entries(answers)), { language: "en", fields: {} })({
          page: null,
          itemId: null,
        }),
      ).text;
    expect(text(chosen)).toBe("January 31, 2026");
    expect(text({ when000000000000: "2026-01-31" })).toBe("never");
  });
});

test("settings take placeholders of any element, in an address behind its host", () => {
  const definition = surveyWith("x");
  const settings = {
    completion: { message: "{{after}} {{item000000000000}}", redirectUrl: "https://{{dish}}/{{dish}}" },
  };
  const resolved = resolveSettings(settings, nameResolver(definition));
  expect(resolved["completion"]!["message"]).toBe("{{next000000000000}} {{item000000000000}}");
  expect(linesOf(settingTemplateViolations(resolved, definition)).map((line) => line.split(" (")[0])).toEqual([
    "settings.completion.message must not name a question of a page that repeats",
    "settings.completion.redirectUrl must be behind the host of an address",
    "settings.completion.redirectUrl must be behind the host of an address",
  ]);
});

test("a document names elements by their keys, takes names, and comes back the same", () => {
  const definition = surveyWith("{{dish|x}} {{visit}}", { helpText: "{{gone000000000000|left}}" });
  const settings = { completion: { message: "Bye {{dish000000000000}}{{gone000000000000|!}}" } };
  const fields = { name: "A survey", description: "", language: "en", type: 1 };
  const keys = new Map([[dish.elementId, "food"]]);
  const source = { fields, settings, translations: {}, definition, keys };
  const text = finish(writingDocument(source));
  expect(text).toContain('"text": "{{food|x}} {{q_when000000000000}}"');
  expect(text).toContain('"helpText": "left"');
  expect(text).toContain('"message": "Bye {{food}}!"');
  let last = 0;
  const context = {
    newId: () => `n${String(++last).padStart(15, "0")}`,
    isAnswered: () => false,
    digest: (each: string) => each,
  };
  const read = (json: string, former = noFormer) =>
    finish(readingDocument(JSON.parse(json) as Record<string, unknown>, former, context));
  const made = read(text.replace("{{q_when000000000000}}", "{{Visit}}"));
  expect(made.violations).toEqual([]);
  expect(finish(keyedIds(made.definition))).not.toContain(dish.elementId);
  const again = finish(
    writingDocument({ ...source, settings: made.document["settings"] as never, ...made, translations: {} }),
  );
  expect(again).toBe(text);
  const kept = read(text, { ...noFormer, definition, keys });
  expect(kept.definition.pages[2]!.elements[0]!.text).toBe(textIn(definition));
  expect(kept.definition.pages[0]!.elements.every((element, at) => element === [dish, when, grid][at])).toBe(true);
  const broken = read(text.replace("{{food|x}}", "{{nothing}}").replace("Bye {{food}}", "{{nothing}}"));
  expect(broken.violations.map(({ path }) => path)).toEqual(["pages.2.elements.0.text", "settings.completion.message"]);
});

test("in a document the element with the key `loop` is not the item of a page that repeats", () => {
  const read = (json: string) => {
    const ids = { newId: () => `n${String(++last).padStart(15, "0")}`, isAnswered: () => false };
    const digest = (each: string) => each;
    return finish(readingDocument(JSON.parse(json) as Record<string, unknown>, noFormer, { ...ids, digest }));
  };
  let last = 0;
  const definition = surveyWith("{{dish}} {{visit}}");
  const keys = new Map([[dish.elementId, "loop"]]);
  const fields = { name: "A survey", description: "", language: "en", type: 1 };
  const source = { fields, settings: {}, translations: {}, definition, keys };
  const text = finish(writingDocument(source));
  expect(text).toContain('"text": "{{Loop}} {{q_when000000000000}}"');
  const made = read(text);
  expect(made.violations).toEqual([]);
  expect(finish(writingDocument({ ...source, ...made, settings: {}, translations: {} }))).toBe(text);
});

test("a document has defaults for missing hidden fields, and in its own texts for pages that repeat", () => {
  const { pages } = surveyWith("x");
  const repeated = { ...pages[2]!, loop: { elementId: dish.elementId } };
  const definition = { pages: pages.with(2, repeated) };
  const settings = { completion: { message: "Bye {{field.gone|you}}{{field.GONE}}{{last000000000000|!}}" } };
  const fields = { name: "A survey", description: "", language: "en", type: 1 };
  const text = finish(writingDocument({ fields, settings, translations: {}, definition, keys: new Map() }));
  expect(text).toContain('"message": "Bye you!"');
});
