import { expect, test } from "vitest";
import { ask, linesOf, page } from "../../test/sample-survey.ts";
import type { SurveyDefinition } from "../definition.ts";
import { compareDefinitions } from "../changes/compare-definitions.ts";
import { finish } from "../finish.ts";
import { checkDefinition, checkingDefinition } from "../structure/check-definition.ts";
import { dropEmptyPages } from "../structure/drop-empty-pages.ts";
import { removeElement } from "../structure/remove-element.ts";
import { fieldViolations } from "./field-violations.ts";
import type { HiddenField } from "./hidden-field.ts";
import { readFields } from "./read-fields.ts";

const text = (name: string, rest: Partial<HiddenField> = {}): HiddenField => ({ name, type: "text", ...rest });
const survey = (fields?: HiddenField[]): SurveyDefinition => ({
  pages: [page("p1", [ask("a", "short_text", { name: "asked" }), ask("b")]), page("p2", [])],
  ...(fields && { fields }),
});
const violationsOf = (...fields: HiddenField[]) => linesOf(fieldViolations(fields, new Set(["asked"]), "fields"));

test("fields have one form, and anything else is no field", () => {
  const given = [
    { ...text("a"), allowAnonymous: false },
    { allowAnonymous: true, default: 0, type: "number", name: "n" },
  ];
  expect(readFields(given)).toEqual([text("a"), { name: "n", type: "number", default: 0, allowAnonymous: true }]);
  const proto = JSON.parse('[{"name":"a","type":"text","__proto__":{}}]') as unknown;
  const names = ["__proto__", "1", "a b", "ä", "", "a".repeat(65), 7, null].map((name) => [{ name, type: "text" }]);
  const tooMany = Array.from({ length: 51 }, (_, at) => text(`f${at}`));
  const values = [null, true, [], "x".repeat(1_001), Number.POSITIVE_INFINITY].map((value) => [
    { ...text("a"), default: value },
  ]);
  const wrong = [...names, ...values, proto, tooMany, [{ name: "a" }], {}, "a", null, undefined];
  expect(wrong.filter((each) => readFields(each).length > 0)).toEqual([]);
});

test("names are unique among fields and elements, ignoring case; defaults have the type of their field", () => {
  expect(violationsOf(text("a"), text("constructor"), text("toString"), text("hasOwnProperty"))).toEqual([]);
  expect(violationsOf(text("a"), text("A"), text("ASKED"), text("t", { default: 1 }))).toEqual([
    "fields.1.name is the name of another field",
    "fields.2.name is the name of an element of the survey",
    "fields.3.default must be a text",
  ]);
  expect(violationsOf({ name: "n", type: "number", default: "1" })).toEqual(["fields.0.default must be a number"]);
  const heavy = Array.from({ length: 11 }, (_, at) => text(`f${at}`, { default: "x".repeat(1_000) }));
  expect(violationsOf(...heavy)).toEqual(["fields must have defaults of at most 10 KiB of JSON together"]);
  expect(violationsOf(...heavy.slice(0, 10))).toEqual([]);
});

test("fields stay through edits of pages, and keep a draft with full anonymity from being published", () => {
  const fields = [text("kept", { allowAnonymous: true }), text("person")];
  expect(dropEmptyPages(survey(fields)).fields).toEqual(fields);
  expect(removeElement(survey(fields), "b")).toMatchObject({ definition: { fields } });
  expect(checkDefinition(dropEmptyPages(survey(fields)))).toEqual([]);
  expect(finish(checkingDefinition(survey(fields), { isAnonymous: true }))).toMatchObject([
    { path: "fields.1.allowAnonymous", code: "field_not_anonymous" },
  ]);
  expect(checkDefinition(survey([text("Asked")]))).toMatchObject([{ path: "fields.0.name", code: "field_broken" }]);
});

test("adding a field is safe, taking it away or changing its type affects results", () => {
  const answered = new Map([["q-a", { responses: 5, byKey: new Map<string, number>() }]]);
  const changes = (before: HiddenField[] | undefined, after: HiddenField[] | undefined) =>
    compareDefinitions(survey(before), survey(after), answered, (written) => written).map(
      (change) => `${change.kind} ${change.class} ${change.affectedResponses} ${change.message}`,
    );
  expect(changes(undefined, [])).toEqual([]);
  expect(changes(undefined, [text("a")])).toEqual(["field_added safe 0 Adds the field “a”."]);
  expect(changes([text("a")], undefined)).toEqual(["field_removed results_affecting 5 Removes the field “a”."]);
  expect(changes([text("a")], [text("a", { default: "x" })])).toEqual(["field_changed safe 0 Changes the field “a”."]);
  expect(changes([text("a")], [{ name: "a", type: "number" }])).toEqual([
    "field_changed results_affecting 5 Changes the field “a”.",
  ]);
  expect(changes([text("a"), text("b")], [text("b"), text("c"), text("a")])).toEqual([
    "field_added safe 0 Adds the field “c”.",
    "fields_reordered safe 0 Reorders the fields.",
  ]);
});
