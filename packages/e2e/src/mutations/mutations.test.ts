import { WORKSPACE_ROOT } from "@canvass/processes";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mutate } from "./apply-mutation.ts";
import { mutations, type Mutation } from "./mutations.ts";

const page = join(WORKSPACE_ROOT, "CONTRIBUTING.md");
const header = "| guarantee | edit | caught by |\n|---|---|---|\n";
/** Matches the files that the test command runs. */
const testFile = /^(gateway|(services|packages)\/[^/]+)\/(src|test)\/.+\.test\.ts$/;

const rows = mutations.map((mutation) => [mutation.file, mutation.edit, mutation] as const);

test.each(rows)("%s holds the place of its edit once: %s", (_file, _edit, mutation) => {
  const text = readFileSync(join(WORKSPACE_ROOT, mutation.file), "utf8");
  expect(mutate(text, mutation)).not.toBe(text);
});

test.each(mutations.map(({ caughtBy }) => caughtBy))("%s is a file of the test command", (caughtBy) => {
  expect(caughtBy).toMatch(testFile);
  expect(existsSync(join(WORKSPACE_ROOT, caughtBy))).toBe(true);
});

test("a place that is not there, or there twice, is refused", () => {
  const mutation = { ...mutations[0]!, from: "a", to: "" };
  expect(mutate("cat", mutation)).toBe("ct");
  for (const text of ["", "cabal"]) expect(() => mutate(text, mutation)).toThrow("renew the row");
});

const row = ({ guarantee, edit, file, caughtBy }: Mutation) =>
  `| ${guarantee} | ${edit} (\`${file}\`) | \`${caughtBy}\` |\n`;

test("CONTRIBUTING.md shows the mutations; `vitest -u` writes the table", async () => {
  const text = readFileSync(page, "utf8");
  expect(text).toContain(header);
  const table = header + mutations.map(row).join("");
  await expect(text.replace(/\| guarantee \|[^]*?\n(?=\n)/, () => table)).toMatchFileSnapshot(page);
});
