import type { Sql } from "@canvass/postgres";
import type { SurveySettings } from "@canvass/questions";
import { notCollecting } from "../domain/collecting.ts";
import type { SurveyRef } from "../survey-directory.ts";
import { readSurveyResult } from "./results.ts";

/** How many respondents may still complete each survey that has a limit (`collection.responseLimit`). */
export interface Rooms {
  /** Throws `survey_not_collecting` when the survey has all the completed responses it wants. */
  require(ref: SurveyRef): void;
  /** Counts one completion of the batch that is being stored. */
  take(ref: SurveyRef): void;
}

/**
 * Reads the room of every limited survey among the given ones. Batches that store answers of the same limited survey
 * take turns until the transaction ends, so the limit holds exactly; surveys without a limit cost nothing.
 */
export async function openRooms(
  sql: Sql,
  submissions: readonly (SurveyRef & { collection: { settings: SurveySettings } })[],
): Promise<Rooms> {
  const limits = new Map<string, { ref: SurveyRef; limit: number }>();
  for (const { workspaceId, surveyId, collection } of submissions) {
    const limit = collection.settings.collection.responseLimit;
    if (limit !== null) limits.set(`${workspaceId} ${surveyId}`, { ref: { workspaceId, surveyId }, limit });
  }
  const left = new Map<string, number>();
  // In name order, so that two batches never wait for each other crosswise.
  for (const [name, { ref, limit }] of [...limits].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked", [`limit ${name}`]);
    left.set(name, limit - (await readSurveyResult(sql, ref.workspaceId, ref.surveyId)).completed);
  }
  const nameOf = ({ workspaceId, surveyId }: SurveyRef) => `${workspaceId} ${surveyId}`;
  return {
    require(ref) {
      if ((left.get(nameOf(ref)) ?? 1) <= 0) throw notCollecting("response_limit");
    },
    take(ref) {
      const room = left.get(nameOf(ref));
      if (room !== undefined) left.set(nameOf(ref), room - 1);
    },
  };
}

/** Throws `survey_not_collecting` when a survey has all the completed responses it wants; for those who would start. */
export async function requireRoom(sql: Sql, ref: SurveyRef, settings: SurveySettings): Promise<void> {
  const { responseLimit } = settings.collection;
  if (responseLimit === null) return;
  const { completed } = await readSurveyResult(sql, ref.workspaceId, ref.surveyId);
  if (completed >= responseLimit) throw notCollecting("response_limit");
}
