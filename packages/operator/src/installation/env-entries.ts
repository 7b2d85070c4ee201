import { join } from "node:path";
import { parseEnv } from "node:util";
import { readIfThere } from "./read-if-there.ts";

/** A variable of an environment file. */
export type EnvEntry = { file: string; name: string; value: string };

/** Returns the entries of the files that exist, without empty values. */
export async function readEntries(folder: string, files: readonly string[]): Promise<EnvEntry[]> {
  const entries: EnvEntry[] = [];
  for (const file of files) {
    const values = Object.entries(parseEnv((await readIfThere(join(folder, file))) ?? ""));
    entries.push(...values.map(([name, value]) => ({ file, name, value: value ?? "" })));
  }
  return entries.filter(({ value }) => value !== "");
}
