import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { GetAnswerRequest, GetAnswerResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { requireRespondent } from "../application/respondents/require-respondent.ts";

export async function getAnswer(
  context: ResponseContext,
  { surveyId, respondentId, elementId }: GetAnswerRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetAnswerResponseSchema>> {
  const { answers } = await requireRespondent(context, { workspaceId, surveyId, respondentId });
  const answer = answers.get(elementId);
  if (!answer) return {};
  const { value, meta, submittedAt } = answer;
  const metaJson = meta === null ? "" : JSON.stringify(meta);
  return { answer: { valueJson: JSON.stringify(value), metaJson, submittedAt: timestampFromDate(submittedAt) } };
}
