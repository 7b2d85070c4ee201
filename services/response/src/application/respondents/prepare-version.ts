import { lruOptions, type KeyedSemaphore } from "@canvass/fairness";
import { inTransaction } from "@canvass/postgres";
import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { PublishedVersion } from "../../domain/published-version.ts";
import { saveQuestions } from "../../storage/results/results.ts";
import type { VersionRef } from "../../domain/survey-ref.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";

/**
 * Returns a function that returns a version on which respondents start, after it has saved the version's questions.
 * `permits` limits the connections that this takes.
 */
export function createPrepareVersion(
  pool: Pool,
  surveys: SurveyDirectory,
  permits: KeyedSemaphore,
): (ref: VersionRef) => Promise<PublishedVersion> {
  const remembered = new LRUCache<string, true, VersionRef>({
    ...lruOptions(10_000),
    ignoreFetchAbort: true,
    fetchMethod: (_versionId, _stale, { context }) =>
      permits.run(context.workspaceId, undefined, async () => {
        await rememberVersion(pool, context, await surveys.version(context));
        return true as const;
      }),
  });
  return async (ref) => {
    if (!remembered.has(ref.versionId)) await remembered.fetch(ref.versionId, { context: ref });
    return surveys.version(ref);
  };
}

async function rememberVersion(pool: Pool, ref: VersionRef, version: PublishedVersion): Promise<void> {
  const { workspaceId, surveyId } = ref;
  const questions = version.definition.pages.flatMap((page) => page.elements);
  await inTransaction(pool, (sql) => saveQuestions(sql, workspaceId, surveyId, version.versionNumber, questions));
}
