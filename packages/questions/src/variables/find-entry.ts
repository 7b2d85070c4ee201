import type { ExportName } from "../question-type.ts";

/** Finds the entry that a caller names. An id counts before a code, a code before a text. */
export function findEntry<Entry extends ExportName>(entries: readonly Entry[], word: string): Entry | undefined {
  return (
    entries.find(({ id }) => id === word) ??
    entries.find(({ entryCode }) => entryCode === word) ??
    entries.find(({ label }) => label === word)
  );
}
