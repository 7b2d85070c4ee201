import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

const GENERATED =
  /getQueryCompilerWasmModule: async \(\) => \{.*?import\("(?<source>[^"]+\.wasm-base64)\.mjs"\).*?\n {2}\},/s;
const REPLACEMENT = `getQueryCompilerWasmModule: async () => {
    const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL("query-compiler.wasm", import.meta.url)))
  },`;

/**
 * Moves the query compiler of the generated client in `clientFolder` into a file: embedded as base64, it occupies 25 MiB per
 * process. `serviceFolder` has the package.json by which Prisma is found.
 */
export async function unpackCompiler(clientFolder: string, serviceFolder: string): Promise<void> {
  const file = join(clientFolder, "internal/class.ts");
  const code = await readFile(file, "utf8");
  const source = GENERATED.exec(code)?.groups?.["source"];
  if (source === undefined) throw new Error(`${file} holds no query compiler in base64; see unpack-compiler.ts`);
  const { wasm } = createRequire(join(serviceFolder, "package.json"))(`${source}.js`) as { wasm: string };
  await writeFile(join(clientFolder, "internal/query-compiler.wasm"), Buffer.from(wasm, "base64"));
  await writeFile(file, code.replace(GENERATED, REPLACEMENT));
}
