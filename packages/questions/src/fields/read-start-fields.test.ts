import * as fc from "fast-check";
import { isJsonWithinBytes } from "@canvass/values";
import { expect, test } from "vitest";
import { fieldLimits, type HiddenField } from "./hidden-field.ts";
import { readStartFields } from "./read-start-fields.ts";

const fields: HiddenField[] = [
  { name: "customer", type: "number" },
  { name: "constructor", type: "text" },
  { name: "source", type: "text", default: "direct", allowAnonymous: true },
];
const byLink = (given: Record<string, unknown>, isAnonymous = false) =>
  readStartFields(fields, given, { isAnonymous, isLink: true });
const byCaller = (given: Record<string, unknown>, isAnonymous = false) =>
  readStartFields(fields, given, { isAnonymous, isLink: false });

test("a link's parameters become values of their fields, and the rest is counted", () => {
  expect(byLink({ customer: "-12.50", source: "mail", utm_term: "x" })).toEqual({
    values: { customer: -12.5, source: "mail" },
    ignored: 1,
    violations: [],
  });
  for (const wrong of ["", "1e9", "0x10", "NaN", "Infinity", " 1", "1,5", "9".repeat(21), 5, null, ["1"], {}]) {
    expect(byLink({ customer: wrong })).toEqual({
      values: { source: "direct" },
      ignored: 1,
      violations: [],
    });
  }
  expect(byLink({ source: "" }).values).toEqual({ source: "direct" });
  expect(byLink({ Customer: "1", toString: "x" })).toMatchObject({ values: { source: "direct" }, ignored: 2 });
});

test("a caller's values must have the type of their field; each that does not is a violation", () => {
  expect(byCaller({ customer: 7, constructor: "", other: {} })).toEqual({
    values: { customer: 7, constructor: "", source: "direct" },
    ignored: 1,
    violations: [],
  });
  const { violations } = byCaller({ customer: "7", constructor: "x".repeat(1_001), source: null });
  expect(violations.map(({ path }) => path)).toEqual(["fields.customer", "fields.constructor", "fields.source"]);
  expect(byCaller({ source: "🦓".repeat(1_000) }).violations).toEqual([]);
  expect(byCaller({ source: "🦓".repeat(1_001) }).violations).toHaveLength(1);
});

test("names of members of every object are ordinary names", () => {
  const hostile = JSON.parse('{"__proto__":"a","constructor":"b","hasOwnProperty":"c","toString":"d"}') as object;
  const { values, ignored } = byLink(hostile as Record<string, unknown>);
  expect([Object.entries(values), ignored]).toEqual([
    [
      ["constructor", "b"],
      ["source", "direct"],
    ],
    3,
  ]);
  expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
});

test("with full anonymity only fields that allow it have values", () => {
  expect(byLink({ customer: "1", source: "mail" }, true)).toEqual({
    values: { source: "mail" },
    ignored: 1,
    violations: [],
  });
  expect(byCaller({ customer: "wrong" }, true)).toEqual({ values: { source: "direct" }, ignored: 1, violations: [] });
});

test("values of any query string are storable and within their limit", () => {
  const many = Array.from({ length: 50 }, (_, at): HiddenField => ({ name: `f${at}`, type: "text", default: "d" }));
  const long = Object.fromEntries(many.map(({ name }) => [name, "ä".repeat(1_000)]));
  expect(readStartFields(many, long, { isAnonymous: false, isLink: true }).ignored).toBe(45);
  expect(readStartFields(many, long, { isAnonymous: false, isLink: false }).violations).toHaveLength(45);
  const any = fc.array(fc.nat(0xffff), { maxLength: 1_100 }).map((units) => String.fromCharCode(...units));
  const texts = fc.oneof(any, fc.constantFrom("\0", "\ud800", "{{f1}}"));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...many.map(({ name }) => name), "x", "__proto__"), texts), (given) => {
      const { values, violations } = readStartFields(many, given, { isAnonymous: false, isLink: true });
      expect(violations).toEqual([]);
      expect(isJsonWithinBytes(values, fieldLimits.bytes)).toBe(true);
      for (const value of Object.values(values)) expect(String(value)).toSatisfy((text: string) => text.isWellFormed());
    }),
  );
});
