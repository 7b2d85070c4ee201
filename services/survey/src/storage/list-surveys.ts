import type { Sql } from "@canvass/postgres";
import { surveyNamePattern } from "../domain/survey-name-key.ts";
import type { SurveyOrder } from "../domain/survey-order.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import { SURVEY_COLUMNS, toSurveyRecord, type SurveyRow } from "./survey-columns.ts";

export interface SurveyFilter {
  workspaceId: string;
  active: boolean | undefined;
  /** Part of the name, in any case; empty for all. */
  query: string;
}

export interface SurveyPageRequest extends SurveyFilter {
  order: SurveyOrder;
  after: SurveyPosition | undefined;
  limit: number;
}

/** A survey's position in an order: the sort value (a name key, or milliseconds), then its id. */
export type SurveyPosition = [value: string | number, surveyId: string];

const columns = { createdAt: "created_at", updatedAt: "updated_at", name: "name_key" } as const;

/** Filters on columns of the order's index only, so that the query reads just the rows of the page. */
const MATCHES = `k.workspace_id = $1 AND ($2::boolean IS NULL OR k.active = $2) AND ($3::text IS NULL OR k.name_key LIKE $3)`;

function pageStatement({ by, descending }: SurveyOrder, hasPosition: boolean): string {
  const column = columns[by];
  const direction = descending ? "DESC" : "ASC";
  const value = by === "name" ? "$5::text" : "$5::timestamptz";
  const after = hasPosition ? `AND (k.${column}, k.survey_id) ${descending ? "<" : ">"} (${value}, $6::text)` : "";
  return `WITH keys AS (
  SELECT k.workspace_id, k.survey_id, k.${column} FROM surveys k WHERE ${MATCHES} ${after}
  ORDER BY k.${column} ${direction}, k.survey_id ${direction} LIMIT $4
)
SELECT ${SURVEY_COLUMNS}, s.name_key AS "nameKey"
FROM keys JOIN surveys s USING (workspace_id, survey_id) JOIN response_counts c USING (workspace_id, survey_id)
ORDER BY keys.${column} ${direction}, keys.survey_id ${direction}`;
}

export async function findSurveyPage(
  sql: Sql,
  { workspaceId, active, query, order, after, limit }: SurveyPageRequest,
): Promise<{ survey: SurveyRecord; position: SurveyPosition }[]> {
  const statement = pageStatement(order, after !== undefined);
  const rows = await sql.query<SurveyRow & { nameKey: string }>(statement, [
    workspaceId,
    active ?? null,
    surveyNamePattern(query),
    limit,
    ...(after ? [order.by === "name" ? after[0] : new Date(after[0]), after[1]] : []),
  ]);
  return rows.map(({ nameKey, ...row }) => {
    const survey = toSurveyRecord(row);
    return { survey, position: [order.by === "name" ? nameKey : survey[order.by], survey.surveyId] };
  });
}

const COUNT = `SELECT count(*) AS total FROM surveys k WHERE ${MATCHES}`;

export async function countSurveys(sql: Sql, { workspaceId, active, query }: SurveyFilter): Promise<bigint> {
  const [row] = await sql.query<{ total: string }>(COUNT, [workspaceId, active ?? null, surveyNamePattern(query)]);
  return BigInt(row?.total ?? 0);
}
