import { expect, test } from "vitest";
import { entryFiles, pageFiles } from "../src/served/index.ts";

const kilobyte = 1_000;

test("a first visit takes less than 300 KB", () => {
  const files = pageFiles();
  const { script, styles } = entryFiles();
  const bytes = [script, ...styles].reduce((sum, name) => sum + files.get(name)!.br.length, 0);
  expect(bytes).toBeLessThan(300 * kilobyte);
  expect(styles).toHaveLength(1);
});

test("the Markdown engine, which only some surveys need, is not part of it", () => {
  const text = pageFiles().get(entryFiles().script)!.plain.toString();
  expect(text).not.toContain("Please report this to https://github.com/markedjs/marked");
});

test("the script evaluates no text, and SurveyJS's expressions are left out of it", () => {
  const text = pageFiles().get(entryFiles().script)!.plain.toString();
  expect(text).not.toMatch(/\beval\(|new Function\(/);
  expect(text).not.toContain("peg$");
});
