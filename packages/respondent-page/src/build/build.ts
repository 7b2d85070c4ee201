// Builds the files of the page in `gen/`, with a compressed copy of each.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";
import { bundle } from "./bundle.ts";

const folder = new URL("../../gen/assets/", import.meta.url);

await build(bundle);
await Promise.all((await readdir(folder)).map(compress));

async function compress(name: string): Promise<void> {
  const bytes = await readFile(new URL(name, folder));
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(new URL(`${name}.br`, folder), await promisify(brotliCompress)(bytes, { params }));
  await writeFile(new URL(`${name}.gz`, folder), await promisify(gzip)(bytes, { level: 9 }));
}
