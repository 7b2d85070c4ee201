import { createClient } from "@hey-api/openapi-ts";
import { execFile } from "node:child_process";
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const here = import.meta.dirname;
const bin = (name: string) => join(here, "../../node_modules/.bin", name);
const run = promisify(execFile);

const generators = {
  "hey-api": async (document: string, folder: string) => {
    await createClient({
      input: document,
      output: { path: join(folder, "client"), module: { extension: ".ts" } },
      logs: { level: "silent" },
      plugins: [
        { name: "@hey-api/client-fetch", throwOnError: true, baseUrl: false },
        { name: "@hey-api/sdk", operations: { strategy: "single", containerName: "Canvass", methods: "instance" } },
      ],
    });
  },
  "openapi-fetch": async (document: string, folder: string) => {
    const options = [document, "-o", join(folder, "client.ts"), "--default-non-nullable", "false"];
    await run(bin("openapi-typescript"), options);
  },
};

export type Generator = keyof typeof generators;

/**
 * Generates a client of the document beside a copy of its program, and checks the types of both. Returns the program's
 * path.
 */
export async function generateClient(name: Generator, document: unknown): Promise<string> {
  // In the package, so that the program finds its packages.
  const folder = join(here, "gen", name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
  await generators[name](join(folder, "openapi.json"), folder);
  const program = join(folder, "program.ts");
  await copyFile(join(here, "programs", name, "program.ts"), program);
  await checkTypes(program);
  return program;
}

/** With the compiler that most callers have, and its strictest rules. */
async function checkTypes(program: string): Promise<void> {
  const options =
    "--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --target es2022 --lib es2023,dom,dom.iterable --module nodenext --allowImportingTsExtensions";
  await run(bin("tsc"), [...options.split(" "), program]).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}
