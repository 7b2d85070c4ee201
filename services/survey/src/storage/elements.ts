import type { Element, PrismaClient } from "../../gen/prisma/client.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";

/** How many questions the survey's draft has; null when there is no such survey. */
export async function findQuestionCount(
  prisma: PrismaClient,
  { workspaceId, surveyId }: SurveyRef,
): Promise<number | null> {
  const survey = await prisma.survey.findUnique({
    where: { workspaceId_surveyId: { workspaceId, surveyId } },
    select: { questionCount: true },
  });
  return survey?.questionCount ?? null;
}

/** Elements of the draft in the order respondents meet them. */
export function findElementPage(
  prisma: PrismaClient,
  { workspaceId, surveyId }: SurveyRef,
  { skip, take }: { skip: number; take: number },
): Promise<Element[]> {
  return prisma.element.findMany({
    where: { workspaceId, surveyId },
    orderBy: [{ page: { sortOrder: "asc" } }, { sortOrder: "asc" }],
    skip,
    take,
  });
}
