import type { Sql } from "@canvass/postgres";
import type { ContactRef } from "./contact-respondents.ts";

/** A respondent that is a contact started or completed. */
export interface ContactStep {
  at: Date;
  /** The respondent's id, and 0 for the start or 1 for the completion. */
  stepId: string;
  kind: "started" | "completed";
  surveyId: string;
  respondentId: string;
}

export interface StepPage {
  /** What came before it, in the order of time, then id; undefined: from the newest on. */
  before: Pick<ContactStep, "at" | "stepId"> | undefined;
  limit: number;
}

/** One walk along an index. A respondent's id is the beginning of its step's, so the step at the border may be among them. */
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

/** What respondents did that are a contact, newest first; tests are left out. Reads so many rows at most, twice. */
export function findContactSteps(sql: Sql, contact: ContactRef, { before, limit }: StepPage): Promise<ContactStep[]> {
  const { at, stepId } = before ?? { at: "infinity", stepId: "" };
  return sql.query<ContactStep>(FIND, [contact.workspaceId, contact.contactId, at, stepId, limit]);
}
