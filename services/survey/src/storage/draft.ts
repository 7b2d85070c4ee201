import type { Page, Question, SurveyDefinition } from "@canvass/questions";
import type { Sql } from "@canvass/postgres";
import type { Element, Prisma } from "../../gen/prisma/client.ts";
import type { DraftPage } from "../domain/place-questions.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

const PAGES = `SELECT p.page_id AS "pageId", p.title, count(e.element_id)::int4 AS "questionCount"
FROM pages p LEFT JOIN elements e USING (workspace_id, page_id)
WHERE p.workspace_id = $1 AND p.survey_id = $2
GROUP BY p.page_id, p.title, p.sort_order
ORDER BY p.sort_order`;

/** The pages of a survey's draft in order, with how many questions each has. */
export function findDraftPages(sql: Sql, { workspaceId, surveyId }: SurveyRef): Promise<DraftPage[]> {
  return sql.query<DraftPage>(PAGES, [workspaceId, surveyId]);
}

/** The whole draft, as publishing would freeze it. */
export async function readDraft(
  tx: Prisma.TransactionClient,
  { workspaceId, surveyId }: SurveyRef,
): Promise<SurveyDefinition> {
  const [pages, elements] = await Promise.all([
    tx.page.findMany({ where: { workspaceId, surveyId }, orderBy: { sortOrder: "asc" } }),
    tx.element.findMany({ where: { workspaceId, surveyId }, orderBy: { sortOrder: "asc" } }),
  ]);
  const byPage = Map.groupBy(elements, ({ pageId }) => pageId);
  return {
    pages: pages.map(({ pageId, title, loop, skipLogic }) => ({
      pageId,
      title,
      loop: loop as Page["loop"],
      skipLogic: skipLogic as Page["skipLogic"],
      elements: (byPage.get(pageId) ?? []).map(toQuestion),
    })),
  };
}

function toQuestion(element: Element): Question {
  const { choices, rows, columns } = element;
  return {
    elementId: element.elementId,
    questionId: element.questionId,
    type: element.type,
    text: element.questionText,
    helpText: element.helpText,
    typeSettings: element.typeSettings as Question["typeSettings"],
    responseValidation: element.responseValidation as Question["responseValidation"],
    ...(choices === null ? {} : { choices: choices as Question["choices"] }),
    ...(rows === null ? {} : { rows: rows as Question["rows"] }),
    ...(columns === null ? {} : { columns: columns as Question["columns"] }),
  };
}
