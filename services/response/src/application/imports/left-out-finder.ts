import { createSharedCache } from "@canvass/fairness";
import { findColumns, leftOutHeadings } from "../../domain/imports/import-columns.ts";
import type { StoredImport } from "../../storage/imports/response-imports.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";

/** Returns the headings of a stored import's file that the import does not take. */
export type FindLeftOut = (stored: StoredImport) => Promise<readonly string[]>;

const mebi = 1024 * 1024;
const charactersOf = (headings: readonly string[]) => headings.reduce((sum, { length }) => sum + length, 100);
/** In characters. */
const cachedHeadings = { maxSize: 4 * mebi, share: mebi / 4, sizeOf: charactersOf };

/** Remembers the headings: callers poll an import, and identifying thousands of columns blocks the event loop. */
export function createLeftOutFinder(surveys: Pick<SurveyDirectory, "version">): FindLeftOut {
  const known = createSharedCache<readonly string[]>(cachedHeadings);
  return async (stored) => {
    const { workspaceId, importId, headings } = stored;
    const remembered = known.get(workspaceId, importId);
    if (remembered) return remembered;
    const { definition } = await surveys.version(stored);
    const found = leftOutHeadings(findColumns(headings, definition));
    known.set(workspaceId, importId, found);
    return found;
  };
}
