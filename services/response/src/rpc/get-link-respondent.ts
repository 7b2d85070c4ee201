import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import { runInSlices } from "@canvass/fairness";
import type { GetLinkRespondentRequest, GetLinkRespondentResponseSchema } from "@canvass/proto/response-links";
import type { ResponseContext } from "../context.ts";
import { shownSeen } from "../domain/respondents/recorded-time.ts";
import { percentComplete } from "../domain/submissions/progress.ts";
import { readClosingQuota } from "../application/quotas/full-quota.ts";
import { readSession } from "../application/links/session.ts";
import { requireRespondent } from "../application/respondents/require-respondent.ts";
import { currentAnswerMessages, toRespondentMessage } from "../application/respondents/respondent-message.ts";

/** Returns a session's respondent with its answers, so that its page can resume (contract 7.16). */
export async function getLinkRespondent(
  context: ResponseContext,
  { code, sessionToken, respondentId, language }: GetLinkRespondentRequest,
): Promise<MessageInitShape<typeof GetLinkRespondentResponseSchema>> {
  const session = readSession(context.cursors, code, sessionToken);
  if (session.respondentId !== respondentId) throw new AppError("invalid_token");
  // Respondents of a link for everybody stay readable, even if the link is gone.
  if (session.linkId !== "" && !(await context.links.bySession(session)).found) {
    throw new AppError("distributor_not_found");
  }
  const found = await requireRespondent(context, session);
  const { definition } = await context.surveys.version(found);
  const respondent = toRespondentMessage(found, percentComplete(definition, found));
  respondent.answers = await runInSlices(currentAnswerMessages(found, definition));
  const seenAt = shownSeen(found);
  const quotaFull = await readClosingQuota(context, found, definition, language || found.language);
  const { versionId, workspaceId } = found;
  return {
    respondent,
    versionId,
    workspaceId,
    ...(seenAt && { seenAt: timestampFromDate(seenAt) }),
    ...(quotaFull && { quotaFull }),
  };
}
