import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { systemErrorCode } from "./operational-error.ts";

/** Writes JSON atomically and durably, readable by the owner only (mode 0600). */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  try {
    await using file = await open(draft, "w", 0o600);
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await using directory = await open(dirname(path));
  await directory.sync();
}

/** Returns the parsed file, or undefined if there is none. Throws if it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the text, which holds secrets.
    throw new Error("not valid JSON");
  }
}
