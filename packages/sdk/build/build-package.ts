import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const home = join(import.meta.dirname, "..");
const compiler = join(home, "../../node_modules/typescript/bin/tsc");

/**
 * Makes the package as it is published, for `import` and for `require`, in a new folder. Throws with the compiler's
 * output.
 */
export async function buildPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(["esm", "cjs"].map((kind) => compile(kind, join(folder, kind))));
  await writeFile(join(folder, "cjs/package.json"), `{ "type": "commonjs" }\n`);
  const manifest = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as Record<string, unknown>;
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published(manifest), null, 2)}\n`);
  await copyFile(join(home, "README.md"), join(folder, "README.md"));
}

async function compile(kind: string, folder: string): Promise<void> {
  const project = join(import.meta.dirname, `tsconfig.${kind}.json`);
  await run(process.execPath, [compiler, "-p", project, "--outDir", folder]).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}

const entry = (kind: string) => ({ types: `./${kind}/src/index.d.ts`, default: `./${kind}/src/index.js` });

function published({ name, version, description, type, dependencies, engines, sideEffects }: Record<string, unknown>) {
  return {
    name,
    version,
    description,
    type,
    sideEffects,
    engines,
    dependencies,
    exports: { ".": { import: entry("esm"), require: entry("cjs") }, "./package.json": "./package.json" },
    main: "./cjs/src/index.js",
    types: "./cjs/src/index.d.ts",
  };
}
