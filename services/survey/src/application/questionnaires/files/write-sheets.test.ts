import { strFromU8, unzipSync } from "fflate";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("equal sheets are equal files, whenever they are written", async () => {
  onTestFinished(() => void vi.useRealTimers());
  const sheet = { name: "survey", columns: ["name", "label"], rows: [{ name: "q", label: "How?" }] };
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01T00:00:00Z") });
  const first = await writeSheets([sheet]);
  vi.setSystemTime(new Date("2027-06-07T08:09:10Z"));
  expect(await writeSheets([sheet])).toEqual(first);
});
