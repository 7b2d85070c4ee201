import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { GetLockRequest, GetLockResponseSchema } from "@canvass/proto/survey";
import type { Call } from "@canvass/rpc";
import type { SurveyContext } from "../context.ts";
import { findSurveyLock } from "../storage/survey-locks.ts";
import { requireSurvey } from "./require-survey.ts";

export async function getLock(
  { database: { prisma, sql }, now }: SurveyContext,
  { surveyId }: GetLockRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetLockResponseSchema>> {
  const survey = await requireSurvey(sql, { workspaceId, surveyId });
  const lock = await findSurveyLock(prisma, survey, now());
  if (!lock) return {};
  const { reason, holder, expiresAt } = lock;
  return { lock: { reason, holder, expiresAt: timestampFromDate(expiresAt) } };
}
