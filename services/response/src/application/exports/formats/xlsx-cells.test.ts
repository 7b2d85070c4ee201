import { expect, test } from "vitest";
import { columnsXml } from "./xlsx-cells.ts";

test("columns of dates and times are wide enough to show them, others are as usual", () => {
  expect(columnsXml([{ kind: "text" }, { kind: "date" }, { kind: "number" }, { kind: "datetime" }])).toBe(
    '<cols><col min="2" max="2" width="12" customWidth="1"/><col min="4" max="4" width="21" customWidth="1"/></cols>',
  );
  expect(columnsXml([{ kind: "text" }, { kind: "value" }])).toBe("");
});
