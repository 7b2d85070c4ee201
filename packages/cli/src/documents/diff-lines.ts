import { structuredPatch } from "diff";

const longestMs = 5_000;

/** Returns the lines that differ, with three lines around them; null if that takes too long to find. */
export function diffLines(before: string, after: string, beforeName: string, afterName: string): string | null {
  const patch = structuredPatch(beforeName, afterName, before, after, "", "", { context: 3, timeout: longestMs });
  if (!patch) return null;
  const hunks = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return [`--- ${beforeName}`, `+++ ${afterName}`, ...hunks].join("\n");
}
