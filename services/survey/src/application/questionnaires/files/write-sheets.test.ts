import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { readSheets } from "./read-sheets.ts";
import { writeSheets } from "./write-sheets.ts";

test("texts that are members of every object are cells like others", async () => {
  const texts = [...Object.getOwnPropertyNames(Object.prototype), "constructors"];
  const rows = texts.map((text) => ({ name: text, label: text }));
  const file = await writeSheets([{ name: "survey", columns: ["name", "label"], rows }]);
  const sheets = await readSheets(file);
  expect(sheets.get("survey")).toEqual([["name", "label"], ...texts.map((text) => [text, text])]);
  const parts = Object.values(unzipSync(file)).map((part) => strFromU8(part));
  expect(parts.join("")).not.toMatch(/\0|\[object|function/);
});
