import type { Sql } from "@canvass/postgres";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { PAGE_BYTES } from "./page-columns.ts";
import { listBytesSql } from "./survey-lists.ts";

export const SURVEY_BYTES = `s.kept_bytes + octet_length(s.name) + octet_length(s.description) + octet_length(s.settings::text)
  + octet_length(coalesce(s.translations::text, '')) + ${listBytesSql("s")}
  + (SELECT coalesce(sum(e.bytes + coalesce(e.translations_bytes, 0)), 0)::int8 FROM elements e WHERE (e.workspace_id, e.survey_id) = (s.workspace_id, s.survey_id))
  + (SELECT coalesce(sum(${PAGE_BYTES}), 0)::int8 FROM pages p WHERE (p.workspace_id, p.survey_id) = (s.workspace_id, s.survey_id))
  + (SELECT coalesce(sum(r.bytes), 0)::int8 FROM retired_elements r WHERE (r.workspace_id, r.survey_id) = (s.workspace_id, s.survey_id))
  + (SELECT coalesce(sum(octet_length(k.id) + octet_length(k.key)), 0)::int8 FROM document_keys k WHERE (k.workspace_id, k.survey_id) = (s.workspace_id, s.survey_id))`;

const COUNT = `WITH held AS (
  SELECT s.stored_bytes AS before, ${SURVEY_BYTES} AS after FROM surveys s WHERE s.workspace_id = $1 AND s.survey_id = $2
), saved AS (
  UPDATE surveys s SET stored_bytes = held.after FROM held
  WHERE s.workspace_id = $1 AND s.survey_id = $2 AND held.after <> held.before
)
INSERT INTO workspace_storage AS w (workspace_id, bytes)
SELECT $1, held.after - held.before FROM held WHERE held.after <> held.before
ON CONFLICT (workspace_id) DO UPDATE SET bytes = w.bytes + excluded.bytes
RETURNING w.bytes, (SELECT held.after - held.before FROM held) AS added`;

/** The size of a workspace's surveys, and the number of bytes that one write added; negative if it freed space. */
export interface StoredBytes {
  bytes: number;
  added: number;
}

/**
 * Updates the workspace's counter, whose row stays locked until the transaction ends: call it last. Returns undefined
 * if the survey's size did not change.
 */
export async function countStorage(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<StoredBytes | undefined> {
  const [row] = await sql.query<{ bytes: string; added: string }>(COUNT, [workspaceId, surveyId]);
  return row && { bytes: Number(row.bytes), added: Number(row.added) };
}
