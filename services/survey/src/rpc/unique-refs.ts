import type { SurveyRef } from "../domain/survey-ref.ts";

/** Returns a unique key for a survey: ids contain no spaces. */
export function refKey({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}

export function uniqueRefs(refs: readonly SurveyRef[]): SurveyRef[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}
