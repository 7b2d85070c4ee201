import type { Sql } from "@canvass/postgres";
import { questionWeight, type Question } from "@canvass/questions";
import type { ElementRecord, ElementRef, ElementRetirement } from "../domain/element-record.ts";
import {
  QUESTION_COLUMNS,
  QUESTION_NAMES,
  QUESTION_RECORD,
  QUESTION_VALUES,
  toQuestion,
  type StoredQuestion,
} from "./question-columns.ts";

const FIND = `SELECT survey_id AS "surveyId", page_id AS "pageId", sort_order AS "sortOrder", revision,
  date_part('epoch', created_at) * 1000 AS "createdAt", date_part('epoch', updated_at) * 1000 AS "updatedAt",
  ${QUESTION_COLUMNS}
FROM elements e WHERE workspace_id = $1 AND element_id = $2`;

export async function findElement(
  sql: Sql,
  { workspaceId, elementId }: ElementRef,
): Promise<ElementRecord | undefined> {
  const [row] = await sql.query<StoredQuestion & Omit<ElementRecord, "workspaceId" | "question">>(FIND, [
    workspaceId,
    elementId,
  ]);
  if (!row) return undefined;
  const { surveyId, pageId, sortOrder, revision, createdAt, updatedAt, ...stored } = row;
  return {
    workspaceId,
    surveyId,
    pageId,
    sortOrder,
    revision,
    // 1763670385.123 * 1000 is not an integer in floating point.
    createdAt: Math.round(createdAt),
    updatedAt: Math.round(updatedAt),
    question: toQuestion(stored),
  };
}

const RETIREMENT = `SELECT survey_id AS "surveyId", question_id AS "questionId", NULL::timestamptz AS "retiredAt"
FROM elements WHERE workspace_id = $1 AND element_id = $2
UNION ALL
SELECT survey_id, question_id, retired_at FROM retired_elements WHERE workspace_id = $1 AND element_id = $2
ORDER BY "retiredAt" NULLS FIRST LIMIT 1`;

export async function findElementRetirement(
  sql: Sql,
  { workspaceId, elementId }: ElementRef,
): Promise<ElementRetirement | undefined> {
  const [row] = await sql.query<Omit<ElementRetirement, "workspaceId">>(RETIREMENT, [workspaceId, elementId]);
  return row && { workspaceId, ...row };
}

const UPDATE = `UPDATE elements e SET (${QUESTION_NAMES}) = (${QUESTION_VALUES}), cells = $3, bytes = $4, revision = $5,
  updated_at = $6
FROM jsonb_to_record($2::jsonb) AS r (${QUESTION_RECORD})
WHERE e.workspace_id = $1 AND e.element_id = r."elementId"`;

/** The survey must be locked. */
export async function saveElement(
  sql: Sql,
  element: ElementRecord,
  question: Question,
  now: Date,
): Promise<ElementRecord> {
  const saved = { ...element, question, revision: element.revision + 1, updatedAt: now.getTime() };
  const { cells, bytes } = questionWeight(question);
  await sql.query(UPDATE, [element.workspaceId, JSON.stringify(question), cells, bytes, saved.revision, now]);
  return saved;
}

/** Deletes an element from its draft. The caller must close the gap in its page. */
export async function deleteElement(sql: Sql, { workspaceId, question }: ElementRecord): Promise<void> {
  await sql.query("DELETE FROM elements WHERE workspace_id = $1 AND element_id = $2", [
    workspaceId,
    question.elementId,
  ]);
}

const RETIRE = `INSERT INTO retired_elements (workspace_id, element_id, survey_id, question_id, retired_at, question, bytes)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workspace_id, element_id)
DO UPDATE SET retired_at = EXCLUDED.retired_at, question = EXCLUDED.question, bytes = EXCLUDED.bytes`;

export async function insertRetiredElement(sql: Sql, element: ElementRecord, retiredAt: Date): Promise<void> {
  const { workspaceId, surveyId, question } = element;
  const { elementId, questionId } = question;
  const json = JSON.stringify(question);
  const content = [json, Buffer.byteLength(json)];
  await sql.query(RETIRE, [workspaceId, elementId, surveyId, questionId, retiredAt, ...content]);
}
