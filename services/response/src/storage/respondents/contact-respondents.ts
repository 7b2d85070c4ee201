import type { Sql } from "@canvass/postgres";
import type { VersionRef } from "../../domain/survey-ref.ts";
import type { RespondentRef } from "./respondents.ts";

export interface ContactRef {
  workspaceId: string;
  contactId: string;
}

export type ContactRespondent = RespondentRef & VersionRef;

/** The respondents that a contact is, in the order in which they are locked. */
export function findContactRespondents(sql: Sql, { workspaceId, contactId }: ContactRef): Promise<ContactRespondent[]> {
  return sql.query<ContactRespondent>(
    `SELECT workspace_id AS "workspaceId", respondent_id AS "respondentId", survey_id AS "surveyId", version_id AS "versionId"
     FROM respondents WHERE workspace_id = $1 AND contact_id = $2 AND contact_id <> '' ORDER BY respondent_id`,
    [workspaceId, contactId],
  );
}

/** Locks and unlinks all respondents of a contact, from its personal links too. Returns them in key order. */
export async function unlinkContact(sql: Sql, contact: ContactRef): Promise<ContactRespondent[]> {
  const { workspaceId, contactId } = contact;
  await sql.query(
    `SELECT FROM respondents WHERE workspace_id = $1 AND contact_id = $2 AND contact_id <> ''
     ORDER BY respondent_id FOR UPDATE`,
    [workspaceId, contactId],
  );
  const found = await findContactRespondents(sql, contact);
  await sql.query(
    `UPDATE respondents SET contact_id = '' WHERE workspace_id = $1 AND contact_id = $2 AND contact_id <> ''`,
    [workspaceId, contactId],
  );
  await sql.query(
    `UPDATE used_links SET respondent_id = '' WHERE workspace_id = $1 AND respondent_id = ANY($2::text[])`,
    [workspaceId, found.map(({ respondentId }) => respondentId)],
  );
  return found;
}
