import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

const withoutCode = (file: string): string =>
  readFileSync(join(root, file), "utf8").replaceAll(/^ *```[^]*?^ *```/gm, "");

/** Anchors of a document's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const headings = withoutCode(file).matchAll(/^#+ (.+)$/gm);
  const slugOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  return new Set(Array.from(headings, ([, heading]) => slugOf(heading!)));
}

function isDead(file: string, path: string, anchor: string | undefined): boolean {
  const target = path === "" ? file : join(dirname(file), path);
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(target).has(anchor);
}

test("every relative link of a document leads to a file, and to a heading of it", () => {
  // Links of `gateway/docs` are addresses of an installation's pages.
  const documents = globSync(["{.github/,}*.md", "deploy/**/*.md", "{gateway,services/*,packages/*}/*.md"], {
    cwd: root,
  });
  const links = documents.flatMap((file) =>
    Array.from(withoutCode(file).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g), ([link, path, anchor]) => ({
      at: `${file}${link}`,
      isDead: isDead(file, path!, anchor),
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.flatMap(({ at, isDead }) => (isDead ? [at] : []))).toEqual([]);
});
