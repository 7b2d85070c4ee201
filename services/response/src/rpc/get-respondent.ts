import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { GetRespondentRequest, GetRespondentResponseSchema } from "@canvass/proto/response";
import type { Call } from "@canvass/rpc";
import type { ResponseContext } from "../context.ts";
import { percentComplete } from "../domain/progress.ts";
import { findRespondent } from "../storage/respondents.ts";
import { toRespondentMessage } from "../respondents/respondent-message.ts";

/** One respondent's state. Throws `survey_not_found` and `respondent_not_found`. */
export async function getRespondent(
  { database, surveys }: ResponseContext,
  { surveyId, respondentId }: GetRespondentRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetRespondentResponseSchema>> {
  const { workspaceId } = caller;
  const respondent = await findRespondent(database.sql, { workspaceId, respondentId });
  if (respondent?.surveyId !== surveyId) {
    const { found } = await surveys.collection({ workspaceId, surveyId });
    throw new AppError(found ? "respondent_not_found" : "survey_not_found");
  }
  const { definition } = await surveys.version(respondent);
  return { respondent: toRespondentMessage(respondent, percentComplete(definition, respondent.answers)) };
}
