import type { Question } from "@canvass/questions";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { Placed, Placement } from "../domain/place-questions.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** Pages to be appended to a survey's draft. */
export interface NewPages extends SurveyRef {
  pages: readonly { pageId: string; title: string | null }[];
  /** How many pages the draft has already. */
  after: number;
}

/** Appends empty pages to the draft. */
export async function insertPages(
  tx: Prisma.TransactionClient,
  { workspaceId, surveyId, pages, after }: NewPages,
): Promise<void> {
  if (pages.length === 0) return;
  await tx.page.createMany({
    data: pages.map(({ pageId, title }, index) => ({
      workspaceId,
      surveyId,
      pageId,
      title,
      sortOrder: after + index + 1,
      skipLogic: [],
    })),
  });
}

/** Gives an existing page its title, if the placing of questions found one for it. */
export async function titlePage(
  tx: Prisma.TransactionClient,
  { workspaceId }: SurveyRef,
  titled: Placed["titled"],
): Promise<void> {
  if (!titled) return;
  const { pageId, title } = titled;
  await tx.page.updateMany({ where: { workspaceId, pageId }, data: { title } });
}

/** Stores questions at their places, whose pages exist. */
export async function insertQuestions(
  tx: Prisma.TransactionClient,
  { workspaceId, surveyId }: SurveyRef,
  questions: readonly Question[],
  placements: readonly Placement[],
  now: Date,
): Promise<void> {
  if (questions.length === 0) return;
  await tx.element.createMany({
    data: questions.map((question, index) => ({
      workspaceId,
      surveyId,
      ...placements[index]!,
      ...toColumns(question),
      createdAt: now,
      updatedAt: now,
    })),
  });
}

function toColumns(question: Question) {
  const { elementId, questionId, type, text, helpText, responseValidation, typeSettings, choices, rows, columns } =
    question;
  return {
    elementId,
    questionId,
    type,
    questionText: text,
    helpText,
    responseValidation,
    typeSettings: typeSettings as Prisma.InputJsonObject,
    ...(choices ? { choices } : {}),
    ...(rows ? { rows } : {}),
    ...(columns ? { columns } : {}),
  };
}
