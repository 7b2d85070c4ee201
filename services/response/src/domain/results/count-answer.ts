import { tallyChange } from "@canvass/questions";
import { entry, type BatchChanges } from "../submissions/batch-changes.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";

type Tally = Parameters<typeof tallyChange>[0];

/**
 * Counts what becomes of one answer in the running results of its question. `difference`: answers and respondents more or
 * less; `before` and `after`: what the answer counts, null where there is none.
 */
export function countAnswer(
  { workspaceId, surveyId }: Pick<RespondentState, "workspaceId" | "surveyId">,
  questionId: string,
  difference: { responses: number; respondents: number },
  { before, after }: { before: Tally; after: Tally },
  changes: BatchChanges,
): void {
  const survey = { workspace_id: workspaceId, survey_id: surveyId };
  const questionKey = `${workspaceId} ${surveyId} ${questionId}`;
  const change = tallyChange(before, after);
  const question = entry(changes.questions, questionKey, () => ({
    ...survey,
    question_id: questionId,
    responses: 0,
    respondents: 0,
    sum: 0n,
  }));
  question.responses += difference.responses;
  question.respondents += difference.respondents;
  question.sum += change.sum;
  for (const [bucket, count] of Object.entries(change.buckets)) {
    entry(changes.buckets, `${questionKey} ${bucket}`, () => ({
      ...survey,
      question_id: questionId,
      bucket,
      count: 0,
    })).count += count;
  }
  countNumber(changes, survey, questionId, before?.number, -1);
  countNumber(changes, survey, questionId, after?.number, 1);
}

function countNumber(
  changes: BatchChanges,
  survey: { workspace_id: string; survey_id: string },
  questionId: string,
  number: number | undefined,
  difference: number,
): void {
  if (number === undefined) return;
  const key = `${survey.workspace_id} ${survey.survey_id} ${questionId} ${number}`;
  entry(changes.numbers, key, () => ({ ...survey, question_id: questionId, number, count: 0 })).count += difference;
}
