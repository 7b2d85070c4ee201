import type { Database, Sql } from "@canvass/postgres";
import type { PrismaClient } from "../../../gen/prisma/client.ts";
import type { RespondentDetails, RespondentState } from "../../domain/respondents/respondent-state.ts";
import { loadAllAnswers } from "../answers/current-answers.ts";

export interface RespondentRef {
  workspaceId: string;
  respondentId: string;
}

const stateColumns = {
  workspaceId: true,
  surveyId: true,
  respondentId: true,
  versionId: true,
  versionNumber: true,
  isTest: true,
  isAnonymous: true,
  startedAt: true,
  lastSeenAt: true,
  completedAt: true,
  isScreenedOut: true,
  exactStartedAt: true,
  exactSeenAt: true,
  pageId: true,
  answerWeight: true,
  language: true,
  distributorId: true,
  contactId: true,
  metadata: true,
  fields: true,
  orderSeed: true,
  externalId: true,
  isImported: true,
} as const;

export type RespondentRow = Omit<RespondentState, "answers" | "answerWeight" | "hasContact"> & RespondentDetails;

export function findRespondentRows(sql: Sql, refs: readonly RespondentRef[]): Promise<RespondentRow[]> {
  return sql.query<RespondentRow>(FIND_ROWS, [
    refs.map(({ workspaceId }) => workspaceId),
    refs.map(({ respondentId }) => respondentId),
  ]);
}

const FIND_ROWS = `SELECT workspace_id AS "workspaceId", survey_id AS "surveyId", respondent_id AS "respondentId",
    version_id AS "versionId", version_number AS "versionNumber", is_test AS "isTest", is_anonymous AS "isAnonymous",
    started_at AS "startedAt", last_seen_at AS "lastSeenAt", completed_at AS "completedAt",
    is_screened_out AS "isScreenedOut",
    exact_started_at AS "exactStartedAt", exact_seen_at AS "exactSeenAt", page_id AS "pageId", language,
    distributor_id AS "distributorId", contact_id AS "contactId", metadata, fields,
    order_seed AS "orderSeed", external_id AS "externalId", is_imported AS "isImported"
  FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, respondent_id)
    JOIN respondents USING (workspace_id, respondent_id)`;

export async function findRespondent(
  { prisma, sql }: Pick<Database<PrismaClient>, "prisma" | "sql">,
  { workspaceId, respondentId }: RespondentRef,
): Promise<(RespondentState & RespondentDetails) | undefined> {
  const where = { workspaceId_respondentId: { workspaceId, respondentId } };
  const found = await prisma.respondent.findUnique({ where, select: stateColumns });
  if (!found) return undefined;
  const hasContact = found.contactId !== "";
  const fields = found.fields as RespondentState["fields"];
  const state = { ...found, fields, hasContact, answerWeight: found.answerWeight ?? 0, answers: new Map() };
  await loadAllAnswers(sql, [state]);
  return state;
}
