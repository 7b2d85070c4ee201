import type { Sql } from "@canvass/postgres";
import type { DistributorRef } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { ContactRef } from "../respondents/contact-respondents.ts";

/** What a start depends on. Ids are empty without a distributor or a contact. */
export type StartRef = SurveyRef & DistributorRef & ContactRef;

export interface StartRevisions {
  /** Null if not stored. */
  survey: string | null;
  /** Null if not stored, held or unknown, or without a distributor. */
  link: string | null;
  isContactGone: boolean;
}

const FIND = `SELECT s.revision AS survey, CASE WHEN l.is_deleted OR l.held_until IS NULL THEN l.revision END AS link,
    g.contact_id IS NOT NULL AS "isContactGone"
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY
      AS wanted (workspace_id, survey_id, distributor_id, contact_id, place)
    LEFT JOIN collecting_surveys s USING (workspace_id, survey_id)
    LEFT JOIN collecting_links l USING (workspace_id, distributor_id)
    LEFT JOIN gone_contacts g USING (workspace_id, contact_id)
  ORDER BY wanted.place`;

export function findStartRevisions(sql: Sql, starts: readonly StartRef[]): Promise<StartRevisions[]> {
  return sql.query<StartRevisions>(FIND, [
    starts.map(({ workspaceId }) => workspaceId),
    starts.map(({ surveyId }) => surveyId),
    starts.map(({ distributorId }) => distributorId),
    starts.map(({ contactId }) => contactId),
  ]);
}
