import type { SurveyContext } from "../context.ts";
import type { ElementRetirement } from "../domain/element-record.ts";

/** Answer counts of a question, without test responses. */
export interface AnswerCounts {
  /** Number of respondents who answered the question. */
  responses: bigint;
  /** Number of answers that name a choice, row, column or option, by its id. */
  byEntry: Readonly<Record<string, bigint>>;
}

/** Asks the response service for a question's answer counts. May be slow: call it before taking locks. */
export async function countAnswers(
  { responses }: Pick<SurveyContext, "responses">,
  { workspaceId, surveyId, questionId }: Omit<ElementRetirement, "retiredAt">,
): Promise<AnswerCounts> {
  const { surveys } = await responses.batchCountAnswers({
    surveys: [{ workspaceId, surveyId, questionIds: [questionId] }],
  });
  const question = surveys[0]?.questions[0];
  return { responses: question?.respondents ?? 0n, byEntry: question?.entries ?? {} };
}
