import { readFile, rename, writeFile } from "node:fs/promises";

import { systemErrorCode } from "./operational-error.ts";

/** Writes JSON atomically, readable by the owner only (mode 0600). */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** The parsed file; undefined without the file. Throws when it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return JSON.parse(text);
}
