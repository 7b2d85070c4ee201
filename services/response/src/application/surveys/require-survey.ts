import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { SurveyDirectory } from "./survey-directory.ts";

export async function requireSurvey(
  { surveys }: { surveys: Pick<SurveyDirectory, "collection"> },
  { workspaceId, surveyId }: SurveyRef,
): Promise<void> {
  if (!isId(surveyId) || !(await surveys.collection({ workspaceId, surveyId })).found) {
    throw new AppError("survey_not_found");
  }
}
