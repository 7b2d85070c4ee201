import { sendAll, type Sql } from "@canvass/postgres";
import type { VersionRef } from "../../domain/survey-ref.ts";
import type { RespondentRef } from "./respondents.ts";

export interface ContactRef {
  workspaceId: string;
  contactId: string;
}

export type ContactRespondent = RespondentRef & VersionRef;

/** Returns the first respondents of a contact, in lock order. */
export function findContactRespondents(
  sql: Sql,
  { workspaceId, contactId }: ContactRef,
  limit: number,
): Promise<ContactRespondent[]> {
  return sql.query<ContactRespondent>(
    `SELECT workspace_id AS "workspaceId", respondent_id AS "respondentId", survey_id AS "surveyId", version_id AS "versionId"
     FROM respondents WHERE workspace_id = $1 AND contact_id = $2 AND contact_id <> '' ORDER BY respondent_id LIMIT $3::int`,
    [workspaceId, contactId, limit],
  );
}

/**
 * Removes contact, order seed and links of respondents, and hidden fields, since they may name the person. The
 * respondents must be locked and belong to one workspace.
 */
export async function unlinkRespondents(sql: Sql, respondents: readonly RespondentRef[]): Promise<void> {
  const [first] = respondents;
  if (!first) return;
  const params = [first.workspaceId, respondents.map(({ respondentId }) => respondentId)];
  const where = "WHERE workspace_id = $1 AND respondent_id = ANY($2::text[])";
  await sendAll(sql, [
    { text: `UPDATE respondents SET contact_id = '', fields = '{}', order_seed = NULL ${where}`, params },
    { text: `UPDATE used_links SET respondent_id = '', is_erased = true ${where}`, params },
  ]);
}
