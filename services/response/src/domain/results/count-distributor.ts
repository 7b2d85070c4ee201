import { entry, type BatchChanges } from "../submissions/batch-changes.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";

type Came = Pick<RespondentState, "workspaceId" | "surveyId" | "distributorId">;

export function countDistributor(
  { workspaceId, surveyId, distributorId }: Came,
  { started = 0, completed = 0 }: { started?: number; completed?: number },
  { distributors }: BatchChanges,
): void {
  if (distributorId === "") return;
  const counts = entry(distributors, `${workspaceId} ${distributorId} ${surveyId}`, () => ({
    workspace_id: workspaceId,
    survey_id: surveyId,
    distributor_id: distributorId,
    started: 0,
    completed: 0,
  }));
  counts.started += started;
  counts.completed += completed;
}
