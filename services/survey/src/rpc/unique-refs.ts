import type { SurveyRef } from "../domain/survey-ref.ts";

/** One text for one survey. Ids hold no space. */
export function refKey({ workspaceId, surveyId }: SurveyRef): string {
  return `${workspaceId} ${surveyId}`;
}

/** Each survey once: a survey everybody reads is read once for a whole batch. */
export function uniqueRefs(refs: readonly SurveyRef[]): SurveyRef[] {
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}
