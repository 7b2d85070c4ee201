import { WORKSPACE_ROOT } from "@canvass/processes";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, filesOf } from "../guides/code-blocks.ts";

export type Way = "import" | "require";

const readme = readFileSync(join(WORKSPACE_ROOT, "packages/sdk/README.md"), "utf8");

/** The programs of the SDK's README, by their names there. */
export const readmePrograms: ReadonlyMap<string, string> = filesOf(codeBlocks(readme));

/** Returns a program as it is, or for `require` rewritten as CommonJS in the way that the README tells. */
export function inWay(code: string, way: Way): string {
  if (way === "import") return code;
  const importLine = /^import (\{.+\}) from (".+");\n/gm;
  const requires = [...code.matchAll(importLine)].map(([, names, from]) => `const ${names} = require(${from});\n`);
  return `${requires.join("")}(async () => {\n${code.replaceAll(importLine, "")}})();\n`;
}
