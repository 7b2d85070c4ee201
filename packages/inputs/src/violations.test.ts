import { expect, test } from "vitest";
import { groupViolations } from "./violations.ts";

test("violations of one path are grouped, also for the path `__proto__`", () => {
  const grouped = groupViolations([
    { path: "a.0", message: "one" },
    { path: "__proto__", message: "two" },
    { path: "a.0", message: "three" },
  ]);
  expect(Object.entries(grouped)).toEqual([
    ["a.0", ["one", "three"]],
    ["__proto__", ["two"]],
  ]);
});

test("of very many violations the first are grouped and the others counted", () => {
  const many = Array.from({ length: 250_000 }, (_, index) => ({ path: `list.${index}`, message: "is wrong" }));
  const { "…": note, ...grouped } = groupViolations(many);
  expect(note).toEqual(["240000 more are left out here"]);
  expect(Object.keys(grouped)).toEqual(many.slice(0, 10_000).map(({ path }) => path));
});
