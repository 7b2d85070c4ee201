import * as fc from "fast-check";
import { expect, test } from "vitest";
import { surveysOfOwnIds } from "../../test/surveys-of-own-ids.ts";
import { ask, page } from "../../test/sample-survey.ts";
import { translatedSurveys } from "../../test/translation-arbitrary.ts";
import { questionTypes } from "../catalogue.ts";
import type { SurveyDefinition } from "../definition.ts";
import { finish } from "../finish.ts";
import { buildQuestions } from "../new-questions.ts";
import { checkDefinition } from "../structure/check-definition.ts";
import { keyedIds, type DocumentKeys } from "./document-keys.ts";
import { noFormer, type FormerSurvey } from "./former-survey.ts";
import { readingDocument } from "./read-document.ts";
import { writingDocument } from "./write-document.ts";

const fields = { name: "A survey", description: "", language: "en", type: 1 };
const settings = { display: { theme: "dark", progressStyle: "bar" }, access: { password: "a hash" } };
const runs = { numRuns: 200 };

/** Ids as services make them: no two are equal. */
function uniqueIds(prefix: string): () => string {
  let last = 0;
  return () => prefix + String(++last).padStart(15, "0");
}

const digest = (text: string) => text;
const surveys = translatedSurveys(surveysOfOwnIds, digest);

const noKeys: DocumentKeys = new Map();

const textOf = (definition: SurveyDefinition, keys = noKeys): string =>
  finish(writingDocument({ fields, settings, translations: {}, definition, keys }));

function read(text: string, former: FormerSurvey = noFormer, answered: (id: string) => boolean = () => false) {
  const context = { newId: uniqueIds("n"), isAnswered: answered, digest };
  return finish(readingDocument(JSON.parse(text) as Record<string, unknown>, former, context));
}

const formerOf = (definition: SurveyDefinition, keys = noKeys): FormerSurvey => ({ ...noFormer, definition, keys });

/** As the database returns JSON: members in another order. */
function reordered<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reordered) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, reordered(each)]),
  ) as Value;
}

test("a survey made of a document has an equal document and other ids, and is as sound", () => {
  fc.assert(
    fc.property(surveys, (definition) => {
      const text = textOf(definition);
      const made = read(text);
      expect(made.violations).toEqual([]);
      expect(checkDefinition(made.definition)).toEqual([]);
      expect(textOf(made.definition, made.keys)).toBe(text);
      const before = new Set(finish(keyedIds(definition)));
      expect(finish(keyedIds(made.definition)).filter((id) => before.has(id))).toEqual([]);
      const again = read(text, formerOf(made.definition, made.keys));
      expect(again.definition.pages.every((page, at) => page === made.definition.pages[at])).toBe(true);
    }),
    runs,
  );
});

test("an unchanged document keeps every page object, for any order of stored members", () => {
  fc.assert(
    fc.property(surveys, (definition) => {
      const stored = reordered(definition);
      const text = textOf(stored);
      expect(text).toBe(textOf(definition));
      const { definition: after, violations } = read(text, formerOf(stored));
      expect(violations).toEqual([]);
      expect(after.pages.every((page, at) => page === stored.pages[at])).toBe(true);
    }),
    runs,
  );
});

test("the document of one survey makes another one equal to it, which keeps the ids of equal keys", () => {
  fc.assert(
    fc.property(surveys, surveys, (one, other) => {
      const made = read(textOf(other), formerOf(one));
      expect(made.violations).toEqual([]);
      expect(textOf(made.definition, made.keys)).toBe(textOf(other));
      const [before, after] = [one, made.definition].map(({ pages }) => pages.flatMap(({ elements }) => elements));
      for (const { elementId, type, questionId } of before!) {
        const kept = after!.find((each) => each.elementId === elementId);
        const wanted = other.pages.flatMap(({ elements }) => elements).find((each) => each.elementId === elementId);
        expect(kept?.questionId).toBe(wanted?.type === type ? questionId : undefined);
      }
    }),
    runs,
  );
});

test("names and codes come through, go where a document leaves them out, and are refused where they repeat", () => {
  const document = (more: object, choice: object, other: object = {}) => ({
    name: "Names",
    pages: [
      {
        key: "one",
        elements: [
          {
            key: "a",
            type: "dropdown",
            text: "A?",
            ...more,
            choices: [
              { key: "x", ...choice, text: "X" },
              { key: "y", code: "y", text: "Y" },
            ],
          },
          { key: "b", name: "second", type: "rating", text: "B?", ...other },
        ],
      },
    ],
  });
  const given = JSON.stringify(document({ name: "First" }, { code: "1" }));
  const made = read(given);
  expect(made.violations).toEqual([]);
  const [a, b] = made.definition.pages[0]!.elements;
  expect([a!.name, a!.choices!.map(({ code }) => code), b!.name]).toEqual(["First", ["1", "y"], "second"]);
  const text = textOf(made.definition, made.keys);
  expect(textOf(read(text).definition, read(text).keys)).toBe(text);
  const { pages } = JSON.parse(given) as { pages: object[] };
  expect(JSON.parse(text)).toMatchObject({ pages });
  const without = read(JSON.stringify(document({}, {})), formerOf(made.definition, made.keys));
  const [bare] = without.definition.pages[0]!.elements;
  expect([bare!.elementId, bare!.choices![0]!.id]).toEqual([a!.elementId, a!.choices![0]!.id]);
  expect([bare, bare!.choices![0]].some((each) => "name" in each! || "code" in each!)).toBe(false);
  const keptNames = new Map([
    ["old", "gone"],
    ["first", a!.elementId],
  ]);
  const refused = (value: object) =>
    read(JSON.stringify(value), { ...formerOf(made.definition, made.keys), keptNames }).violations.map(
      ({ path, message }) => `${path} ${message}`,
    );
  expect(refused(document({ name: "SECOND" }, { code: "y" }))).toEqual([
    "pages.0.elements.0.choices.1.code is the code of another entry",
    "pages.0.elements.1.name is the name of another element of the survey",
  ]);
  expect(refused(document({ name: "SECOND" }, {}))).toEqual([
    "pages.0.elements.1.name is the name of another element of the survey",
  ]);
  // The name of one that is retired stays its own, unless the document has that one.
  expect(refused(document({ name: "Old" }, {}))).toEqual([
    "pages.0.elements.0.name is the name of another element of the survey",
  ]);
  expect(refused(document({}, {}, { name: "first" }))).toEqual([]);
  // One with another violation is no other element, unless its type makes it one.
  const ofFirst = (more: object, choice = {}) => refused(document({ name: "First", ...more }, choice));
  expect(ofFirst({ text: "" })).toEqual(["pages.0.elements.0.text must be text of 1 to 4000 characters"]);
  expect(ofFirst({}, { code: "y" })).toEqual(["pages.0.elements.0.choices.1.code is the code of another entry"]);
  expect(ofFirst({ type: "nonsense" })).toEqual([expect.stringContaining("elements.0.type must be one of")]);
  const another = "pages.0.elements.0.name is the name of another element of the survey";
  expect(ofFirst({ required: 1, type: "image_choice" })).toContain(another);
});

test("a question of every type comes through with the least that it has", () => {
  const lists = (type: (typeof questionTypes)[number]) => ({
    ...(type.lists.choices && { choices: ["A", "B"] }),
    ...(type.lists.rows && { rows: ["A", "B"] }),
    ...(type.lists.columns && { columns: [{ text: "C", ...(type.lists.columns.options && { options: ["D"] }) }] }),
  });
  const built = buildQuestions(
    questionTypes.map((type) => ({ type: type.typeName, text: "A question", ...lists(type) })),
    uniqueIds("q"),
  );
  if ("violations" in built) throw new Error(JSON.stringify(built.violations));
  const elements = built.questions.map(({ question }) => question);
  const definition = { pages: [{ pageId: "p1", title: null, loop: null, skipLogic: [], elements }] };
  const text = textOf(definition);
  const made = read(text);
  expect(made.violations).toEqual([]);
  expect(textOf(made.definition, made.keys)).toBe(text);
  expect(text).not.toContain("hash");
  expect(JSON.parse(text)).toMatchObject({ settings: { display: { theme: "dark" }, access: { password: true } } });
});

const sound = {
  name: "Cafés",
  pages: [
    {
      key: "start",
      elements: [
        {
          key: "drinks",
          type: "multiple_choice",
          text: "What do you drink?",
          typeSettings: { multipleAnswers: true, other: { enabled: true } },
          choices: [
            { key: "tea", text: "Tea" },
            { key: "coffee", text: "Coffee" },
          ],
        },
      ],
      skipLogic: [{ when: { element: "drinks", operator: "contains", value: ["other"] }, goTo: "end" }],
    },
    { key: "each", loop: { element: "drinks" }, elements: [{ key: "rate", type: "rating", text: "How is it?" }] },
  ],
};

test("custom keys are kept; answered items that are removed are retired, and restored by their key", () => {
  const made = read(JSON.stringify(sound));
  expect(made.violations).toEqual([]);
  const [drinks] = made.definition.pages[0]!.elements;
  const [tea, coffee] = drinks!.choices!;
  const without = structuredClone(sound);
  (without.pages[0]!.elements[0] as { choices: unknown[] }).choices.shift();
  const former = formerOf(made.definition, made.keys);
  const less = read(JSON.stringify(without), former, (id) => id === tea!.id);
  const [changed] = less.definition.pages[0]!.elements;
  expect(changed).toMatchObject({ elementId: drinks!.elementId, questionId: drinks!.questionId });
  expect(changed!.choices).toEqual([coffee, { ...tea, retired: true }]);
  expect(changed!.typeSettings["other"]).toEqual(drinks!.typeSettings["other"]);
  const keys = new Map([...made.keys, ...less.keys]);
  expect(textOf(less.definition, keys)).not.toContain("tea");
  const back = read(JSON.stringify(sound), formerOf(less.definition, keys), () => true);
  expect(back.definition.pages[0]!.elements[0]!.choices).toEqual([tea, coffee]);
  const gone = { ...noFormer, retired: [drinks!], keys: made.keys };
  expect(read(JSON.stringify(sound), gone).definition.pages[0]!.elements[0]).toBe(drinks);
});

test("all violations are reported at once, each at its path", () => {
  const wrong = {
    nme: 1,
    pages: [
      {
        key: "end",
        titel: "x",
        elements: [
          { key: "A b", type: "short_text", text: " " },
          { key: "b", type: "nonsense" },
          { key: "c", type: "nps", text: null, typeSettings: { subject: 5 } },
          { key: "g", type: "statement", text: "S", required: false, typeSettings: null },
          {
            key: "c",
            type: "matrix",
            rows: [
              { key: "x", text: "X" },
              { key: "x", text: "Y" },
            ],
          },
          {
            key: "d",
            type: "multiple_choice",
            typeSettings: { other: { choiceId: null } },
            choices: [{ key: "other", text: "O" }, "text", { id: "1", key: "k", text: "K" }],
          },
          5,
        ],
      },
      {
        key: "two",
        loop: { element: "nobody" },
        skipLogic: [
          { when: { element: "b", operator: "equals", value: 1 }, goTo: "two" },
          { when: { element: "e", operator: "equals", value: "nothing" }, goTo: "nowhere" },
          { when: { element: "e", operator: "greater_than", value: "k" }, goTo: "two" },
        ],
        elements: [{ key: "e", type: "dropdown", text: "E", choices: [{ key: "k", text: "K" }], rows: [] }],
      },
      {
        key: "three",
        showIf: { element: "e", operator: "equals", value: "nothing" },
        elements: [
          { key: "f", type: "dropdown", text: "F", choices: [{ key: "k", text: "K" }] },
          {
            key: "h",
            type: "number",
            text: "H",
            showIf: { any: [{ element: "nobody", operator: "answered" }] },
            requiredIf: { element: "h", operator: "answered" },
            constraints: [
              { must: { element: "h", operator: "less_than", answerOf: "f" }, message: "m" },
              { must: { element: "h", operator: "between", value: [2, 1] }, message: "" },
            ],
          },
          {
            key: "i",
            type: "number",
            text: "I",
            showIf: { not: { element: "i", operator: "answered" } },
            constraints: [{ must: { element: "i", operator: "between", value: [2, 1] }, message: "m" }],
          },
        ],
        skipLogic: [
          { when: { element: "b", operator: "answered" }, goTo: "end" },
          { when: { element: "f", operator: "greater_than", value: "k" }, goTo: "two" },
        ],
      },
    ],
  };
  const { violations } = read(JSON.stringify(wrong));
  expect(violations.map(({ path, message }) => `${path} ${message}`)).toMatchInlineSnapshot(`
    [
      "name is required",
      "nme is not a known field; known are $schema, name, description, language, type, settings, translations, fields, quotas, pages",
      "pages.0.titel is not a known field; known are key, title, loop, showIf, skipLogic, shuffle, block, translations, elements",
      "pages.0.elements.0.key must be 1 to 64 of a-z, 0-9 and _, beginning with a letter",
      "pages.0.elements.0.text must be text of 1 to 4000 characters",
      "pages.0.elements.1.type must be one of short_text, long_text, number, multiple_choice, dropdown, image_choice, yes_no, rating, nps, slider, date_time, matrix, dropdown_matrix, ranking, constant_sum, file_upload, consent, contact_info, statement, form",
      "pages.0.elements.2.text is made of typeSettings; leave it out",
      "pages.0.elements.2.typeSettings.subject must be text of 1 to 200 characters",
      "pages.0.elements.3.required is not supported by statement",
      "pages.0.elements.3.typeSettings must be an object",
      "pages.0.elements.4.rows.1.key is the key of another entry",
      "pages.0.elements.4.columns is required",
      "pages.0.elements.5.typeSettings.other.choiceId is not a known field; the key of Other is other",
      "pages.0.elements.5.choices.1 must be an object",
      "pages.0.elements.5.choices.2.id is not a known field; known are key, code, exclusive, freeText, pinned, text, showIf",
      "pages.0.elements.6 must be an object",
      "pages.1.elements.0.rows is not supported by dropdown",
      "pages.2.elements.1.constraints.1.message must be text of 1 to 300 characters",
      "pages.0.key must not be end",
      "pages.0.elements.4.key is the key of another element",
      "pages.1.loop.element is not the key of an element of this document",
      "pages.1.skipLogic.1.goTo must be the key of a later page, or end",
      "pages.2.skipLogic.1.when.operator does not fit dropdown; operators of it are answered, not_answered, equals, not_equals, in, not_in",
      "pages.2.skipLogic.1.goTo must name a later page, or end",
      "pages.2.elements.2.showIf.not.element must name a question before it",
      "pages.2.elements.2.constraints.0.must.value must be a list of the lowest and the highest, in this order",
    ]
  `);
});

test("a quota that asks a question which left the draft is refused at its place", () => {
  const when = { elementId: "gone", operator: "answered" as const };
  const quota = { quotaId: "q", name: "Q", when, limit: 1, onFull: "close" as const, message: null };
  const definition = { pages: [page("page000000000000", [ask("left", "number")])], quotas: [quota] };
  for (const former of [noFormer, formerOf(definition)]) {
    expect(read(textOf(definition), former).violations).toMatchObject([{ path: "quotas.0.when.element" }]);
  }
});

test("a violation of a rule has its path in the document after a dropped rule, also if page and rule have one index", () => {
  const always = { element: "a", operator: "answered" };
  const document = {
    ...fields,
    language: "en",
    pages: [
      {
        key: "one",
        elements: [{ key: "a", type: "short_text", text: "A" }],
        skipLogic: [
          { when: always, goTo: "nowhere" },
          { when: always, goTo: "one" },
        ],
      },
    ],
  };
  expect(read(JSON.stringify(document)).violations).toEqual([
    { path: "pages.0.skipLogic.0.goTo", message: "must be the key of a later page, or end" },
    { path: "pages.0.skipLogic.1.goTo", message: "must name a later page, or end" },
  ]);
});
