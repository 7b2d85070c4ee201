import { Type } from "typebox";
import { expect, test } from "vitest";
import type { Violation } from "./violations.ts";
import { checkShape, shapeViolations } from "./check-shape.ts";
import { ownObject } from "./fields.ts";

const schema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
    kind: Type.Optional(Type.Enum(["a", "b"])),
    parts: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Object({ text: Type.String() }, { additionalProperties: false })]), {
        maxItems: 3,
      }),
    ),
    labels: Type.Optional(Type.Record(Type.String({ pattern: "^[0-9]$" }), Type.String())),
    limit: Type.Optional(Type.Union([Type.Number({ maximum: 9 }), Type.Null()])),
  },
  { additionalProperties: false },
);

function violationsOf(value: unknown): string[] {
  const violations: Violation[] = [];
  checkShape(schema, value, "at", violations);
  return violations.map(({ path, message }) => `${path} ${message}`);
}

test.each([
  [{ name: "x" }],
  [{ name: "😀😀😀😀😀", size: 1, kind: "a", parts: ["x", { text: "y" }], labels: { 1: "one" }, limit: null }],
])("%j fits", (value) => {
  expect(violationsOf(value)).toEqual([]);
});

test.each([
  [null, ["at must be an object"]],
  [[], ["at must be an object"]],
  [{}, ["at.name is required"]],
  [{ name: "" }, ["at.name must be text of 1 to 5 characters"]],
  [{ name: "a\0" }, ["at.name must not contain NUL characters or broken surrogate pairs"]],
  [{ name: "x", size: 0.5 }, ["at.size must be a whole number of at least 1"]],
  [{ name: "x", kind: "c" }, ["at.kind must be one of a, b"]],
  [{ name: "x", limit: 10 }, ["at.limit must be a number of at most 9"]],
  [{ name: "x", limit: "1" }, ["at.limit must be a number of at most 9 or null"]],
  [
    { name: "x", parts: [1, {}, { text: 1, b: 2 }] },
    [
      "at.parts.0 must be text or an object",
      "at.parts.1.text is required",
      "at.parts.2.text must be text",
      "at.parts.2.b is not a known field; known are text",
    ],
  ],
  [{ name: "x", parts: ["", "", "", ""] }, ["at.parts must have at most 3 items"]],
  [{ name: "x", labels: { 1: 1, ten: "x" } }, ["at.labels.1 must be text", "at.labels.ten is not a known field"]],
])("%j has every one of its faults", (value, violations) => {
  expect(violationsOf(value)).toEqual(violations);
});

const about = { description: "counted, too" };
test.each([
  [Type.Enum(["a", "b"], about), "must be one of a, b"],
  [Type.Enum(["a"], about), "must be a"],
  [Type.Enum(["a", "b"], { ...about, "x-expected": "a letter" }), "must be a letter"],
  [Type.Literal(1, about), "must be 1"],
  [Type.Boolean(about), "must be true or false"],
  [Type.String({ description: "the id of a page" }), "must be the id of a page"],
])("what is expected comes before what a value means", (expecting, message) => {
  expect(shapeViolations(expecting, 5)).toEqual([{ path: "", message }]);
});

test("more faults than the schema library would collect are all found", () => {
  const many = Type.Array(Type.Object({ a: Type.String(), b: Type.String() }));
  const violations: Violation[] = [];
  checkShape(
    many,
    Array.from({ length: 100 }, () => ({ a: 1, b: 2 })),
    "",
    violations,
  );
  expect(violations).toHaveLength(200);
});

test("inherited names are neither known nor given", () => {
  expect(violationsOf(JSON.parse('{"name": "x", "__proto__": {"size": "big"}}'))).toEqual([
    expect.stringMatching(/^at\.__proto__ is not a known field/),
  ]);
  expect(violationsOf({ name: "x", constructor: 1, toString: 2 })).toHaveLength(2);
  expect(violationsOf(Object.create({ name: "x" }))).toEqual(["at.name is required"]);
});

test("an object with any names is still an object", () => {
  const open = Type.Object({ size: Type.Optional(Type.Integer()) }, { additionalProperties: true });
  expect(shapeViolations(open, { size: 1, more: [{}] }, "open")).toEqual([]);
  expect(shapeViolations(open, { size: "1", more: 1 }, "open").map(({ path }) => path)).toEqual(["open.size"]);
  expect(shapeViolations(open, 5, "open")).toEqual([{ path: "open", message: "must be an object" }]);
});

test("an object of the caller's own holds nothing that would be stored as something else", () => {
  const own = Type.Object({}, { additionalProperties: true, "x-max-json-bytes": 1_024 });
  const violations = (json: string) => {
    const found: Violation[] = [];
    checkShape(own, JSON.parse(json), "own", found);
    return found.map(({ message }) => message);
  };
  expect(violations('{"a": 1.7e308, "b": [-1e-400, null], "c": {"d": "😀"}}')).toEqual([]);
  expect(violations('{"a": 1e400}')).toEqual(["must not contain numbers beyond ±1.79e308"]);
  expect(violations('{"a": [{"b": -1e400}], "c": "\\ud800"}')).toEqual([
    "must not contain NUL characters or broken surrogate pairs",
    "must not contain numbers beyond ±1.79e308",
  ]);
});

test("an object of the caller's own is checked at the members with a meaning", () => {
  const own = ownObject("yours to fill", { kib: 1, known: { complete: Type.Boolean() } });
  expect(shapeViolations(own, { complete: true, more: 1 }, "own")).toEqual([]);
  expect(shapeViolations(own, { complete: "false", more: "x".repeat(1_024) }, "own")).toEqual([
    { path: "own", message: "must be at most 1 KiB of JSON" },
    { path: "own.complete", message: "must be true or false" },
  ]);
});
