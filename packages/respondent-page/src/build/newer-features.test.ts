import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = new URL("../../gen/assets/", import.meta.url);

/** What came after Chrome 103, Firefox 104 or Safari 16. `older-browsers.ts` brings the rest of what the page uses. */
const newer =
  /\.(?:toReversed|toSpliced|with|groupBy|fromAsync|toWellFormed|checkVisibility|getOrInsert\w*)\(|\bURL\.parse\b|\bAbortSignal\.any\b|\bRegExp\((?:`[^`]*`|"[^"]*"),[`"][a-z]*v/g;

test("the bundle uses only features of browsers of 2022", () => {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(5);
  const found = scripts.flatMap((name) => readFileSync(new URL(name, folder), "utf8").match(newer) ?? []);
  expect(found).toEqual([]);
});
