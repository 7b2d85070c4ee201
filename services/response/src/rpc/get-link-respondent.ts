import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { GetLinkRespondentRequest, GetLinkRespondentResponseSchema } from "@canvass/proto/response-links";
import { inTurns } from "@canvass/telemetry";
import type { ResponseContext } from "../context.ts";
import { percentComplete } from "../domain/submissions/progress.ts";
import { readSession } from "../links/session.ts";
import { requireRespondent } from "../respondents/require-respondent.ts";
import { standingAnswerMessages, toRespondentMessage } from "../respondents/respondent-message.ts";

/**
 * The respondent of a session with its answers (contract 7.16), for its page to go on. Throws `invalid_token`, also for another
 * respondent than the session's, and `respondent_not_found`.
 */
export async function getLinkRespondent(
  context: ResponseContext,
  { code, sessionToken, respondentId }: GetLinkRespondentRequest,
): Promise<MessageInitShape<typeof GetLinkRespondentResponseSchema>> {
  const session = readSession(context.cursors, code, sessionToken);
  if (session.respondentId !== respondentId) throw new AppError("invalid_token");
  const found = await requireRespondent(context, session);
  const { definition } = await context.surveys.version(found);
  const respondent = toRespondentMessage(found, percentComplete(definition, found.answers));
  respondent.answers = await inTurns(standingAnswerMessages(found, definition));
  return { respondent, versionId: found.versionId, workspaceId: found.workspaceId };
}
