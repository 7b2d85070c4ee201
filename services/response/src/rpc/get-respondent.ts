import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetRespondentRequest, GetRespondentResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { percentComplete } from "../domain/progress.ts";
import { requireRespondent } from "../respondents/require-respondent.ts";
import { toRespondentMessage } from "../respondents/respondent-message.ts";

/** One respondent's state. Throws `survey_not_found` and `respondent_not_found`. */
export async function getRespondent(
  context: ResponseContext,
  { surveyId, respondentId }: GetRespondentRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetRespondentResponseSchema>> {
  const { workspaceId } = caller;
  const respondent = await requireRespondent(context, { workspaceId, surveyId, respondentId });
  const { definition } = await context.surveys.version(respondent);
  return { respondent: toRespondentMessage(respondent, percentComplete(definition, respondent.answers)) };
}
