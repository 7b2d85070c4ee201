import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const rules = new Set(
  [...readFileSync(join(root, "gateway/docs/contract.md"), "utf8").matchAll(/^(?:## (\d+)\.|\*\*(\d+\.\d+) )/gm)].map(
    ([, section, rule]) => section ?? rule,
  ),
);
const files = globSync("{gateway,services/*,packages/*,proto}/**/*.{ts,md,proto,prisma}", {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|gen)(\/|$)/.test(path),
});

/** Rules that a text cites, such as "contract 3.4, 3.5" or "contract 8.6-8.8". */
function citedRules(text: string): string[] {
  return [...text.matchAll(/[Cc]ontract (\d[\d., -]*\d|\d)/g)].flatMap(([, list]) => list!.split(/, |-/));
}

test("the contract has rules", () => expect(rules.size).toBeGreaterThan(50));

test("every cited rule is in the contract", () => {
  const dangling = files.flatMap((file) => {
    const cited = citedRules(readFileSync(join(root, file), "utf8"));
    return cited.filter((rule) => !rules.has(rule)).map((rule) => `${file}: contract ${rule}`);
  });
  expect(dangling).toEqual([]);
});

test("nothing cites a document that a reader of the repository cannot open", () => {
  const outside = /\b(?:[Ss]pec|[Aa]pi-decisions) \d/;
  expect(files.filter((file) => outside.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});
