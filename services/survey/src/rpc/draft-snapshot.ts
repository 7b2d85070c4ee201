import { inTransaction } from "@canvass/postgres";
import type { SurveyDefinition } from "@canvass/questions";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { readDraft } from "../storage/draft.ts";
import { readStoredDefinition } from "../storage/stored-definitions.ts";
import { requireSurvey } from "./require-survey.ts";

/** Reads a survey and its draft in one snapshot, without blocking writers. */
export function readDraftSnapshot(
  { database }: SurveyContext,
  ref: SurveyRef,
): Promise<{ survey: SurveyRecord; draft: SurveyDefinition }> {
  const read = async (sql: Parameters<typeof requireSurvey>[0]) => {
    const survey = await requireSurvey(sql, ref);
    return { survey, draft: await readDraft(sql, survey) };
  };
  return inTransaction(database.pool, read, { isolation: "repeatable read" });
}

/** Returns undefined before the first publication. */
export async function readPublishedDefinition(
  { database: { sql } }: SurveyContext,
  survey: SurveyRecord,
): Promise<SurveyDefinition | undefined> {
  const { publishedVersionId: id } = survey;
  return id === null ? undefined : readStoredDefinition(sql, survey, { kind: "version", id });
}
