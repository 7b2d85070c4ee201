import type { SurveyContext } from "../context.ts";
import type { ElementTrace } from "../domain/element-record.ts";

/** How a question was answered, tests left out. */
export interface AnswerCounts {
  /** Respondents who answered it. */
  responses: bigint;
  /** Answers that name a choice, row, column or option, by its id. */
  byEntry: Readonly<Record<string, bigint>>;
}

/** Counted where answers are kept. Ask before locking anything: the answer may take its time. */
export async function countAnswers(
  { responses }: Pick<SurveyContext, "responses">,
  { workspaceId, surveyId, questionId }: Omit<ElementTrace, "retiredAt">,
): Promise<AnswerCounts> {
  const { surveys } = await responses.batchCountAnswers({
    surveys: [{ workspaceId, surveyId, questionIds: [questionId] }],
  });
  const question = surveys[0]?.questions[0];
  return { responses: question?.respondents ?? 0n, byEntry: question?.entries ?? {} };
}
