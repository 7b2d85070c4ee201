import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListBackupsRequest, ListBackupsResponseSchema } from "@canvass/proto/survey-drafts";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { listBackups as findBackups } from "../storage/backups.ts";
import { toBackupMessage } from "./backup-message.ts";
import { requireSurvey } from "./require-survey.ts";

/** Lists the backups of the draft, newest first (contract 6.13). */
export async function listBackups(
  { database: { prisma, sql } }: SurveyContext,
  { surveyId }: ListBackupsRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof ListBackupsResponseSchema>> {
  const survey = await requireSurvey(sql, { workspaceId, surveyId });
  return { backups: (await findBackups(prisma, survey)).map(toBackupMessage) };
}
