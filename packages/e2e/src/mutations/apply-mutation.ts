import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mutation } from "./mutations.ts";

/** Returns the file's text with the edit. Throws unless `from` occurs exactly once. */
export function mutate(text: string, { file, from, to }: Mutation): string {
  const [before, ...after] = text.split(from);
  if (after.length !== 1) {
    throw new Error(
      `${file} holds "${from.trim()}" ${after.length} times: renew the row in packages/e2e/src/mutations/mutations.ts`,
    );
  }
  return `${before}${to}${after[0]}`;
}

/** Edits a mutation's file below `root`. Disposing restores it. */
export async function applyMutation(root: string, mutation: Mutation): Promise<AsyncDisposable> {
  const path = join(root, mutation.file);
  const text = await readFile(path, "utf8");
  await writeFile(path, mutate(text, mutation));
  return { [Symbol.asyncDispose]: () => writeFile(path, text) };
}
