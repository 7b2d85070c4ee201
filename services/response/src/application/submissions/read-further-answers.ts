import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import type { SurveyDefinition } from "@canvass/questions";
import type { CountQuota } from "../../domain/quotas/judge-quotas.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { furtherAnswers } from "../../domain/submissions/needed-answers.ts";
import { addAnswers, eachOnce, findWanted, type WantedRespondent } from "../../storage/answers/current-answers.ts";
import type { VersionOf } from "./batch-versions.ts";
import type { LockedStates } from "./lock-states.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";

/** Adds to locked respondents the answers that validation needs by their versions. */
export async function readFurtherAnswers(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  { states }: LockedStates,
  { versionOf, countQuota }: { versionOf: VersionOf; countQuota: CountQuota },
): Promise<void> {
  // Other submissions of the batch may complete first.
  const mayFill = (state: RespondentState, { quotas = [] }: SurveyDefinition) =>
    quotas.some(({ quotaId, limit }) => countQuota(state, quotaId) + submissions.length > limit);
  const wanted = submissions.flatMap((submission): WantedRespondent[] => {
    const ref = refOf(submission);
    const state = states.get(keyOf(ref));
    const version = state && versionOf(state);
    if (!version || version instanceof AppError) return [];
    const { definition } = version;
    const answerKeys = furtherAnswers(submission.body, state, definition, mayFill(state, definition));
    return [{ ...ref, answerKeys }];
  });
  addAnswers(states, await findWanted(sql, eachOnce(wanted)));
}
