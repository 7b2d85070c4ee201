import type { SurveyContext } from "../context.ts";
import type { ElementRetirement } from "../domain/element-record.ts";

/** Answer counts of a question, without test responses. */
export interface AnswerCounts {
  /** Number of respondents who answered the question. */
  responses: bigint;
  /** Number of answers that name a choice, row, column or option, by its id. Includes those of carrying questions. */
  byEntry: Readonly<Record<string, bigint>>;
}

/**
 * Asks the response service for a question's answer counts. `carrying` has ids of questions whose answers may name its
 * choices. May be slow: call it before taking locks.
 */
export async function countAnswers(
  { responses }: Pick<SurveyContext, "responses">,
  { workspaceId, surveyId, questionId }: Omit<ElementRetirement, "retiredAt">,
  carrying: readonly string[],
): Promise<AnswerCounts> {
  const questionIds = [...new Set([questionId, ...carrying])];
  const { surveys } = await responses.batchCountAnswers({ surveys: [{ workspaceId, surveyId, questionIds }] });
  const counted = surveys[0]?.questions ?? [];
  const byEntry: Record<string, bigint> = {};
  for (const [id, count] of counted.flatMap(({ entries }) => Object.entries(entries))) {
    byEntry[id] = (byEntry[id] ?? 0n) + count;
  }
  const own = counted.find((question) => question.questionId === questionId);
  return { responses: own?.respondents ?? 0n, byEntry };
}
