import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { ResponseContext } from "../../context.ts";
import type { RespondentDetails, RespondentState } from "../../domain/respondents/respondent-state.ts";
import { findRespondent, type RespondentRef } from "../../storage/respondents/respondents.ts";

export async function requireRespondent(
  { database, surveys }: ResponseContext,
  { surveyId, ...ref }: RespondentRef & { surveyId: string },
): Promise<RespondentState & RespondentDetails> {
  const respondent = isId(ref.respondentId) ? await findRespondent(database, ref) : undefined;
  if (respondent?.surveyId === surveyId) return respondent;
  const { found } = await surveys.collectingState({ workspaceId: ref.workspaceId, surveyId });
  throw new AppError(found ? "respondent_not_found" : "survey_not_found");
}
