// `pnpm lines`: counts the lines of product and of tests, with blank lines and comments, in all files that git does
// not ignore.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { kindOf } from "./kind-of.ts";

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: WORKSPACE_ROOT,
  encoding: "utf8",
});
const rows = new Map<string, Record<string, number>>();
for (const path of listed.split("\n")) {
  const kind = kindOf(path);
  const file = join(WORKSPACE_ROOT, path);
  if (kind === undefined || !existsSync(file)) continue;
  const lines = readFileSync(file, "utf8").split("\n").length - 1;
  for (const name of [path.split("/", 1)[0]!, "all"]) {
    const row = rows.get(name) ?? { product: 0, test: 0 };
    row[kind]! += lines;
    rows.set(name, row);
  }
}
const all = rows.get("all")!;
rows.delete("all");
const shown = (name: string, product: unknown, test: unknown) =>
  `${name.padEnd(9)}${String(product).padStart(9)}${String(test).padStart(9)}\n`;
const table = [...rows, ["all", all] as const].map(([name, { product, test }]) => shown(name, product, test));
process.stdout.write(shown("", "product", "test") + table.join(""));
