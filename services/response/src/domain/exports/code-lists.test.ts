import type { ExportColumn } from "@canvass/questions";
import { expect, test } from "vitest";
import { growCodeLists, withCodes } from "./code-lists.ts";

const column = (...ids: string[]): ExportColumn => ({
  id: "q",
  text: "q",
  kind: "value",
  measure: "nominal",
  values: ids.map((id, index) => ({ id, label: id, code: 1 + index })),
});

test("lists only grow: new entries come last, and columns that share entries share a list", () => {
  const first = growCodeLists([], [["a", "b"], ["a", "b"], ["x"]]);
  expect(first).toEqual([["a", "b"], ["x"]]);
  expect(growCodeLists(first, [["c", "b"], ["y", "x"], ["z"]])).toEqual([["a", "b", "c"], ["x", "y"], ["z"]]);
  expect(growCodeLists(first, [])).toEqual(first);
});

test("entries that come to share a column have different codes", () => {
  expect(growCodeLists([["a"], ["b"]], [["b", "a", "c"]])).toEqual([["b", "a", "c"]]);
});

test("a column has the codes of its list, from the code of its first entry, in their order", () => {
  const [coded] = withCodes([column("b", "a")], [["a", "x", "b"]]);
  expect(coded!.values).toEqual([
    { id: "a", label: "a", code: 1 },
    { id: "b", label: "b", code: 3 },
  ]);
});
