import type { MessageInitShape } from "@bufbuild/protobuf";
import { runInSlices } from "@canvass/fairness";
import type { GetRespondentRequest, GetRespondentResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { percentComplete } from "../domain/submissions/progress.ts";
import { requireRespondent } from "../application/respondents/require-respondent.ts";
import { currentAnswerMessages, toRespondentMessage } from "../application/respondents/respondent-message.ts";

export async function getRespondent(
  context: ResponseContext,
  { surveyId, respondentId, withAnswers }: GetRespondentRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetRespondentResponseSchema>> {
  const { workspaceId } = caller;
  const found = await requireRespondent(context, { workspaceId, surveyId, respondentId });
  const { definition } = await context.surveys.version(found);
  const respondent = toRespondentMessage(found, percentComplete(definition, found));
  if (withAnswers) respondent.answers = await runInSlices(currentAnswerMessages(found, definition));
  return { respondent };
}
