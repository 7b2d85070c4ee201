import type { Quota } from "@canvass/questions";
import { entry, type BatchChanges } from "../submissions/batch-changes.ts";
import type { SurveyRef } from "../survey-ref.ts";

export function quotaKey({ workspaceId, surveyId }: SurveyRef, quotaId: string): string {
  return `${workspaceId} ${surveyId} ${quotaId}`;
}

/** Counts a completed respondent in quotas, or with -1 no longer. */
export function countQuotas(
  survey: SurveyRef,
  quotas: readonly Quota[],
  difference: 1 | -1,
  changes: BatchChanges,
): void {
  for (const { quotaId } of quotas) {
    entry(changes.quotas, quotaKey(survey, quotaId), () => ({
      workspace_id: survey.workspaceId,
      survey_id: survey.surveyId,
      quota_id: quotaId,
      completed: 0,
    })).completed += difference;
  }
}
