import { AppError } from "@canvass/errors";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { SurveyDirectory } from "./survey-directory.ts";

export async function requireSurvey(
  { surveys }: { surveys: Pick<SurveyDirectory, "collectingState"> },
  ref: SurveyRef,
): Promise<void> {
  if (!(await surveys.collectingState(ref)).found) throw new AppError("survey_not_found");
}
