import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";

/** Reads the search library's module for browsers, which its manifest names. It imports nothing. */
export async function readSearchLibrary(): Promise<Buffer> {
  const manifest = pathToFileURL(findPackageJSON("minisearch", import.meta.url)!);
  const { module } = JSON.parse(await readFile(manifest, "utf8")) as { module: string };
  return readFile(new URL(module, manifest));
}
