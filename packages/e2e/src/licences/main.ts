// Writes .github/licences.md: the packages in images, with the licences that pnpm finds. Run by `pnpm list-licences`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { imageFolders } from "./production-packages.ts";

type Licensed = { name: string; versions: string[] };

const filters = imageFolders.flatMap((folder) => ["--filter-prod", `{${folder}}...`]);
const words = [...filters, "licenses", "list", "--prod", "--json"];
const found = JSON.parse(execFileSync("pnpm", words, { cwd: WORKSPACE_ROOT, encoding: "utf8" })) as Record<
  string,
  Licensed[]
>;
const lines = Object.entries(found)
  .flatMap(([licence, packages]) => packages.map(({ name, versions }) => ({ name, versions, licence })))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  .map(({ name, versions, licence }) => `| ${name} | ${versions.toSorted().join(", ")} | ${licence} |`);
const page = `# Licences

Of all packages that the images hold, by \`pnpm list-licences\`.

| package | version | licence |
|---|---|---|
${lines.join("\n")}
`;
writeFileSync(join(WORKSPACE_ROOT, ".github/licences.md"), page);
