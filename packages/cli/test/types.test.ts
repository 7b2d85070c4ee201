import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isCurrent, writeIfChanged } from "../src/types/generated-file.ts";
import { valueType } from "../src/types/value-type.ts";
import { renderTypes } from "../src/types/render-types.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-types-"));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  [{ type: "integer", minimum: 0, maximum: 3 }, "0 | 1 | 2 | 3"],
  [{ type: "integer", minimum: 0, maximum: 99 }, "number"],
  [{ type: "integer" }, "number"],
  [{ enum: ["a", 'b"'] }, '"a" | "b\\""'],
  [{ anyOf: [] }, "never"],
  [{ type: "array", items: { type: "string" } }, "Array<string>"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Partial<Record<string, number>>"],
  [{ type: "object", properties: { "a-b": { type: "boolean" } } }, '{\n  "a-b"?: boolean;\n}'],
  [{}, "unknown"],
])("%j is %s", (schema, type) => {
  expect(valueType(schema)).toBe(type);
});

test("texts of surveys stay in comments", () => {
  const hostile = "*/ import 'x' \n\u2028 \u202E /** ${y}";
  const [elementId, key] = ["id", "key"];
  const variant = { title: key, properties: { elementId: { const: elementId }, type: { const: "dropdown" } } };
  const value = { description: hostile, anyOf: [{ const: '"; evil', title: hostile }] };
  const module = renderTypes({ title: hostile, oneOf: [variant], $defs: { [key]: value } }, "survey");
  const code = module.replaceAll(/\/\*\*.*?\*\//g, "").replaceAll(/"(?:[^"\\]|\\.)*"/g, "''");
  expect(code).not.toMatch(/import|evil|\$\{y\}/);
  expect(module).toContain("| /** *\\/ import");
  expect(module).toContain("by the name of their element, or by its key where it has none");
  expect(module).not.toContain("\u202E");
});

test("a file is written once, and is current with other ends of lines", async () => {
  const path = join(folder, "answers.ts");
  expect(await isCurrent(path, "a\nb\n")).toBe(false);
  expect([await writeIfChanged(path, "a\nb\n"), await writeIfChanged(path, "a\nb\n")]).toEqual([true, false]);
  await writeFile(path, "a\r\nb\r\n");
  expect([await isCurrent(path, "a\nb\n"), await isCurrent(path, "a\n")]).toEqual([true, false]);
  await expect(writeIfChanged(folder, "a")).rejects.toThrow("cannot be read");
  await expect(writeIfChanged(join(folder, "no/folder"), "a")).rejects.toThrow("cannot be written");
  expect(await readFile(path, "utf8")).toBe("a\r\nb\r\n");
});

test("a device is not replaced by a file", async () => {
  const device = join(folder, "device.ts");
  await symlink("/dev/null", device);
  await expect(writeIfChanged(device, "a")).rejects.toThrow("is not a file");
});
