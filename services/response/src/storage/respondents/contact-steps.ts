import type { Sql } from "@canvass/postgres";
import type { ContactRef } from "./contact-respondents.ts";

export interface ContactStep {
  at: Date;
  /** The respondent's id, followed by 0 for the start or 1 for the completion. */
  stepId: string;
  kind: "started" | "completed";
  surveyId: string;
  respondentId: string;
}

export interface StepPage {
  /** Continues with older steps, in the order of time, then id. Undefined: from the newest. */
  before: Pick<ContactStep, "at" | "stepId"> | undefined;
  limit: number;
}

/** One index scan. Step ids begin with the respondent's id, so the scan may include the step at the border. */
const steps = (kind: ContactStep["kind"], at: string, place: number, rows: string) => `(SELECT ${at} AS at,
    respondent_id || '${place}' AS step_id, '${kind}' AS kind, survey_id, respondent_id
  FROM ${rows} workspace_id = $1 AND contact_id = $2
    AND (${at}, respondent_id) <= ($3::timestamptz, $4::text)
  ORDER BY ${at} DESC, respondent_id DESC LIMIT $5::int4 + 1)`;

const started = steps("started", "started_at", 0, "respondents WHERE contact_id <> '' AND NOT is_test AND");
const completed = steps("completed", "completed_at", 1, "contact_completions WHERE");

const FIND = `SELECT at, step_id AS "stepId", kind, survey_id AS "surveyId", respondent_id AS "respondentId"
  FROM (${started} UNION ALL ${completed}) AS steps
  WHERE (at, step_id) < ($3::timestamptz, $4::text)
  ORDER BY at DESC, step_id DESC LIMIT $5::int4`;

export function findContactSteps(sql: Sql, contact: ContactRef, { before, limit }: StepPage): Promise<ContactStep[]> {
  const { at, stepId } = before ?? { at: "infinity", stepId: "" };
  return sql.query<ContactStep>(FIND, [contact.workspaceId, contact.contactId, at, stepId, limit]);
}
