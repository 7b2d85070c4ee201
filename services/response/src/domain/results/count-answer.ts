import { tallyChange } from "@canvass/questions";
import { entry, type BatchChanges } from "../submissions/batch-changes.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";

type Tally = Parameters<typeof tallyChange>[0];

export interface CountedQuestion {
  questionId: string;
  offPath: boolean;
}

/** `difference` is the change in answers and respondents. A tally is null if there is no answer. */
export function countAnswer(
  { workspaceId, surveyId }: Pick<RespondentState, "workspaceId" | "surveyId">,
  { questionId, offPath }: CountedQuestion,
  difference: { responses: number; respondents: number },
  { before, after }: { before: Tally; after: Tally },
  changes: BatchChanges,
): void {
  const counted = { workspace_id: workspaceId, survey_id: surveyId, question_id: questionId, off_path: offPath };
  const questionKey = `${workspaceId} ${surveyId} ${questionId} ${offPath}`;
  const change = tallyChange(before, after);
  const question = entry(changes.questions, questionKey, () => ({
    ...counted,
    responses: 0,
    respondents: 0,
    sum: 0n,
  }));
  question.responses += difference.responses;
  question.respondents += difference.respondents;
  question.sum += change.sum;
  for (const [bucket, count] of Object.entries(change.buckets)) {
    entry(changes.buckets, `${questionKey} ${bucket}`, () => ({ ...counted, bucket, count: 0 })).count += count;
  }
  const countNumber = (number: number | undefined, difference: number) => {
    if (number === undefined) return;
    entry(changes.numbers, `${questionKey} ${number}`, () => ({ ...counted, number, count: 0 })).count += difference;
  };
  countNumber(before?.number, -1);
  countNumber(after?.number, 1);
}
