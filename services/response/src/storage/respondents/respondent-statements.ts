import type { NewRespondent, RespondentState } from "../../domain/respondents/respondent-state.ts";
import { rowsAsJson, type Statement } from "@canvass/postgres";

export async function insertStatements(respondents: Iterable<NewRespondent>): Promise<Statement[]> {
  const rows = [...respondents].map((respondent) => ({
    ...movingColumns(respondent),
    survey_id: respondent.surveyId,
    version_id: respondent.versionId,
    version_number: respondent.versionNumber,
    is_test: respondent.isTest,
    is_anonymous: respondent.isAnonymous,
    distributor_id: respondent.distributorId,
    contact_id: respondent.contactId,
    country: respondent.country,
    metadata: respondent.metadata,
    fields: respondent.fields,
    order_seed: respondent.orderSeed,
    external_id: respondent.externalId ?? null,
    is_imported: respondent.isImported ?? false,
  }));
  if (rows.length === 0) return [];
  return [{ text: INSERT, params: [await rowsAsJson(rows)] }];
}

export async function updateStatements(states: Iterable<RespondentState>): Promise<Statement[]> {
  const rows = [...states].map(movingColumns);
  if (rows.length === 0) return [];
  if (rows.length === 1) return [{ text: UPDATE_ONE, params: Object.values(rows[0]!) }];
  return [{ text: UPDATE, params: [await rowsAsJson(rows)] }];
}

/** The key and the columns that submissions change, in the order of the parameters of UPDATE_ONE. */
function movingColumns(state: RespondentState) {
  return {
    workspace_id: state.workspaceId,
    respondent_id: state.respondentId,
    started_at: state.startedAt,
    completed_at: state.completedAt,
    last_seen_at: state.lastSeenAt,
    exact_started_at: state.exactStartedAt,
    exact_seen_at: state.exactSeenAt,
    page_id: state.pageId,
    answer_weight: state.answerWeight,
    language: state.language,
    is_screened_out: state.isScreenedOut ?? false,
  };
}

const inserted = `workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous, started_at,
  last_seen_at, exact_started_at, exact_seen_at, completed_at, page_id, answer_weight, is_screened_out, language,
  distributor_id, contact_id, country, metadata, fields, order_seed, external_id, is_imported`;

const INSERT = `INSERT INTO respondents (${inserted}) SELECT ${inserted}
  FROM json_to_recordset($1::json) AS r (workspace_id text, survey_id text, respondent_id text, version_id text,
    version_number int, is_test boolean, is_anonymous boolean, started_at timestamptz, last_seen_at timestamptz,
    exact_started_at timestamptz, exact_seen_at timestamptz, completed_at timestamptz, page_id text, answer_weight int,
    is_screened_out boolean, language text, distributor_id text, contact_id text, country text, metadata jsonb,
    fields jsonb, order_seed int, external_id text, is_imported boolean)`;

const UPDATE = `UPDATE respondents r SET started_at = u.started_at, completed_at = u.completed_at,
    last_seen_at = u.last_seen_at, exact_started_at = u.exact_started_at, exact_seen_at = u.exact_seen_at,
    page_id = u.page_id, answer_weight = u.answer_weight, language = u.language,
    is_screened_out = u.is_screened_out
  FROM json_to_recordset($1::json) AS u (workspace_id text, respondent_id text,
    started_at timestamptz, completed_at timestamptz, last_seen_at timestamptz, exact_started_at timestamptz,
    exact_seen_at timestamptz, page_id text, answer_weight int, language text, is_screened_out boolean)
  WHERE (r.workspace_id, r.respondent_id) = (u.workspace_id, u.respondent_id)`;

/** Starting the statement for many takes as long as writing one. */
const UPDATE_ONE = `UPDATE respondents SET started_at = $3, completed_at = $4, last_seen_at = $5, exact_started_at = $6,
    exact_seen_at = $7, page_id = $8, answer_weight = $9, language = $10, is_screened_out = $11
  WHERE workspace_id = $1 AND respondent_id = $2`;
