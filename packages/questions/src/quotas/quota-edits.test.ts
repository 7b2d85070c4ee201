import { expect, test } from "vitest";
import { idsOf } from "../../test/sample-question.ts";
import { ask, linesOf, page } from "../../test/sample-survey.ts";
import { compareDefinitions } from "../changes/compare-definitions.ts";
import type { Condition } from "../conditions/condition.ts";
import type { SurveyDefinition } from "../definition.ts";
import { noFormer } from "../document/former-survey.ts";
import { readingDocument } from "../document/read-document.ts";
import { writingDocument } from "../document/write-document.ts";
import { finish } from "../finish.ts";
import { publicDefinition } from "../public/public-definition.ts";
import { checkDefinition } from "../structure/check-definition.ts";
import { removeElement } from "../structure/remove-element.ts";
import { comparisonViolations } from "../weight.ts";
import { quotaShapeViolations, readQuotas } from "./quota-input.ts";
import { quotaViolations } from "./quota-violations.ts";
import type { StoredQuota } from "./quota.ts";

const drink = ask("drink", "multiple_choice");
const [tea] = idsOf(drink.choices) as [string];
const likesTea: Condition = { elementId: "drink", operator: "equals", value: tea };
const young: Condition = { elementId: "age", operator: "less_than", value: 30 };

let last = 0;
const newId = () => `n${String(++last).padStart(15, "0")}`;
const quota = (name: string, when: Condition, rest: Partial<StoredQuota> = {}): StoredQuota => ({
  quotaId: name.padEnd(16, "0"),
  name,
  when,
  limit: 5,
  onFull: "close",
  message: null,
  ...rest,
});

const intoGerman = (text: string) => ({ translations: { de: { message: { text, source: "Thanks." } } } });

const survey = (...quotas: StoredQuota[]): SurveyDefinition => ({
  pages: [page("p1", [drink]), page("p2", [ask("age", "number")])],
  quotas,
});

test("every violation of a body's shape is reported at its path", () => {
  const good = { name: "a", when: young, limit: 1, onFull: "close" };
  expect(quotaShapeViolations({ quotas: [good, { ...good, onFull: "message", message: "Thanks." }] })).toEqual([]);
  expect(quotaShapeViolations({ quotas: [] })).toEqual([]);
  const lines = linesOf(
    quotaShapeViolations({
      quotas: [
        { ...good, limit: 0, onFull: "open", more: 1 },
        { ...good, when: { all: [] } },
        { ...good, when: { not: { elementId: "age", operator: "like" } }, name: " " },
        {},
      ],
    }),
  );
  const places = new Set(lines.map((line) => line.split(" ", 1)[0]));
  for (const place of ["0.limit", "0.onFull", "0.more", "1.when.all", "2.when.not.operator", "2.name", "3.when"]) {
    expect(places).toContain(`quotas.${place}`);
  }
  const tooMany = Array.from({ length: 101 }, (_, at) => ({ ...good, name: `q${at}` }));
  expect(quotaShapeViolations({ quotas: tooMany })).toHaveLength(1);
});

test("a quota keeps its id while its name stays, in any case", () => {
  const former = [quota("Men", young), quota("women", young)];
  const given = [
    { name: "men", when: young, limit: 7, onFull: "end" as const },
    { name: "others", when: young, limit: 1, onFull: "close" as const },
  ];
  const [men, others] = readQuotas(given, former, newId);
  expect(men).toEqual({ ...given[0], quotaId: former[0]!.quotaId, message: null });
  expect(former.map(({ quotaId }) => quotaId)).not.toContain(others!.quotaId);
});

test("quotas depend on existing questions, have unique names, and a message if it is shown", () => {
  const wrong = survey(
    quota("a", { elementId: "gone", operator: "answered" }),
    quota("A", { any: [likesTea, { elementId: "age", operator: "contains", value: 1 }] }),
    quota("b", young, { onFull: "message" }),
  );
  expect(linesOf(quotaViolations(wrong, "quotas"))).toEqual([
    "quotas.0.when.elementId must name a question of the survey",
    expect.stringContaining("quotas.1.when.any.1.operator does not fit"),
    "quotas.1.name is the name of another quota",
    "quotas.2.message is required, because the respondent sees it",
  ]);
  expect(checkDefinition(wrong).map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => "quota_broken"));
  expect(checkDefinition(survey(quota("a", likesTea), quota("b", young)))).toEqual([]);
});

test("removing a question that a quota asks keeps the draft from being published", () => {
  const removed = removeElement(survey(quota("a", young)), "age");
  if ("violations" in removed) throw new Error("it cannot be removed");
  expect(checkDefinition(removed.definition)).toMatchObject([
    { path: "quotas.0.when.elementId", code: "quota_broken" },
  ]);
});

test("comparisons of quotas count with those of rules, and respondents do not get quotas", () => {
  const many: Condition = { all: Array.from({ length: 50 }, () => young) };
  const of = (count: number) => survey(...Array.from({ length: count }, (_, at) => quota(`q${at}`, many)));
  expect(comparisonViolations(of(40), "quotas")).toEqual([]);
  expect(comparisonViolations(of(41), "quotas")).toHaveLength(1);
  expect(publicDefinition(of(1))).not.toHaveProperty("quotas");
});

test("every change of quotas is listed, and is safe", () => {
  const [a, b] = [quota("a", young), quota("b", young)];
  const changes = (before: StoredQuota[], after: StoredQuota[]) =>
    compareDefinitions(survey(...before), survey(...after), new Map(), (text) => text).map(
      (change) => `${change.kind} ${change.class} ${change.message}`,
    );
  expect(changes([a], [a])).toEqual([]);
  expect(changes([a], [{ ...a, limit: 6 }, b])).toEqual([
    "quota_changed safe Changes the quota “a”.",
    "quota_added safe Adds the quota “b”.",
  ]);
  expect(changes([a], [{ ...a, ...intoGerman("Danke.") }])).toEqual([
    "translations_changed safe Changes translations of the quota “a”.",
  ]);
  expect(changes([a, b], [b])).toEqual(["quota_removed safe Removes the quota “a”."]);
  expect(changes([a, b], [b, a])).toEqual(["quotas_reordered safe Reorders the quotas."]);
});

test("documents have quotas by keys, and give them back as they were", () => {
  const definition = survey(
    quota("a", { all: [likesTea, { not: young }] }, { onFull: "message", message: "Thanks.", ...intoGerman("Danke.") }),
    quota("b", young, { onFull: "end" }),
  );
  const fields = { name: "A survey", description: "", language: "en", type: 1 };
  const textOf = (of: SurveyDefinition, keys: ReadonlyMap<string, string> = new Map()) =>
    finish(writingDocument({ fields, settings: {}, translations: {}, definition: of, keys }));
  const read = (document: object, of: SurveyDefinition | undefined, keys: ReadonlyMap<string, string> = new Map()) =>
    finish(
      readingDocument(document as Record<string, unknown>, of ? { ...noFormer, definition: of, keys } : noFormer, {
        newId,
        isAnswered: () => false,
        digest: (text) => text,
      }),
    );
  const text = textOf(definition);
  const document = JSON.parse(text) as { quotas: { when: object; translations?: object }[] };
  const made = read(document, undefined);
  expect(made.violations).toEqual([]);
  expect(made.definition.quotas).toHaveLength(2);
  expect(textOf(made.definition, made.keys)).toBe(text);
  const again = read(document, made.definition, made.keys);
  expect(again.definition.quotas).toEqual(made.definition.quotas);
  const { translations, ...first } = document.quotas[0]!;
  expect(translations).toEqual({ de: { message: "Danke." } });
  const untold = { ...document, quotas: [{ ...first, translations: { de: { message: "{{x}}", name: "A" } } }] };
  expect(linesOf(read(untold, undefined).violations)).toEqual([
    expect.stringContaining("quotas.0.translations.de.message must have no placeholders"),
    "quotas.0.translations.de.name is not the path of a text here",
  ]);
  const wrong = { ...document, quotas: [{ ...first, when: { element: "gone", operator: "answered" } }] };
  expect(linesOf(read(wrong, undefined).violations)).toEqual([
    "quotas.0.when.element is not the key of an element of this document",
  ]);
});
