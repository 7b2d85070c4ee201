import type { Prisma } from "../../gen/prisma/client.ts";
import { nameKey } from "../domain/name-key.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";

/** Stores a survey that does not exist yet, with its counter of responses; its pages follow. */
export async function insertSurvey(
  tx: Prisma.TransactionClient,
  { settingsJson, responseCount, createdAt, updatedAt, ...survey }: SurveyRecord,
): Promise<void> {
  await tx.survey.create({
    data: {
      ...survey,
      nameKey: nameKey(survey.name),
      settings: JSON.parse(settingsJson) as Prisma.InputJsonObject,
      createdAt: new Date(createdAt),
      updatedAt: new Date(updatedAt),
      responseCount: { create: { responseCount } },
    },
    select: { surveyId: true },
  });
}

/** What a write changes of a survey, beside its revision and when it was updated. */
export type SurveyChanges = Partial<
  Omit<SurveyRecord, "workspaceId" | "surveyId" | "revision" | "createdAt" | "updatedAt" | "responseCount">
>;

/**
 * Writes changes to a survey this transaction has locked, and returns it as it is from then on: one revision further,
 * updated at `now`.
 */
export async function updateSurvey(
  tx: Prisma.TransactionClient,
  survey: SurveyRecord,
  changes: SurveyChanges,
  now: Date,
): Promise<SurveyRecord> {
  const { workspaceId, surveyId } = survey;
  const { settingsJson, ...columns } = changes;
  const revision = survey.revision + 1;
  await tx.survey.updateMany({
    where: { workspaceId, surveyId },
    data: {
      ...columns,
      ...(columns.name === undefined ? {} : { nameKey: nameKey(columns.name) }),
      ...(settingsJson === undefined ? {} : { settings: JSON.parse(settingsJson) as Prisma.InputJsonObject }),
      revision,
      updatedAt: now,
    },
  });
  return { ...survey, ...changes, revision, updatedAt: now.getTime() };
}
