import type { Database } from "@canvass/postgres";
import type { PrismaClient } from "../../../gen/prisma/client.ts";
import type { RespondentDetails, RespondentState } from "../../domain/respondents/respondent-state.ts";
import { findAllAnswers } from "../answers/standing-answers.ts";

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
  exactStartedAt: true,
  exactSeenAt: true,
  pageId: true,
  answerWeight: true,
  language: true,
  distributorId: true,
  contactId: true,
  metadata: true,
} as const;

/** One respondent with all its answers, to be shown; undefined when there is none. */
export async function findRespondent(
  { prisma, sql }: Pick<Database<PrismaClient>, "prisma" | "sql">,
  { workspaceId, respondentId }: RespondentRef,
): Promise<(RespondentState & RespondentDetails) | undefined> {
  const where = { workspaceId_respondentId: { workspaceId, respondentId } };
  const found = await prisma.respondent.findUnique({ where, select: stateColumns });
  if (!found) return undefined;
  const hasContact = found.contactId !== "";
  const state = { ...found, hasContact, answerWeight: found.answerWeight ?? 0, answers: new Map() };
  await findAllAnswers(sql, [state]);
  return state;
}
