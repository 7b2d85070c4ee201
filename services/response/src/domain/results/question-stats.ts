import { questionTypeOf, type AnswerStats, type Question } from "@canvass/questions";

export interface QuestionResult extends Omit<AnswerStats, "responseCount"> {
  responses: number;
  respondents: number;
}

export interface QuestionStats {
  questionId: string;
  /** Empty if the question was removed from the survey. */
  elementId: string;
  name: string;
  typeName: string;
  responseCount: bigint;
  uniqueRespondents: bigint;
  distributionJson: string;
  questionJson?: string;
}

const noAnswers: QuestionResult = { responses: 0, respondents: 0, sum: 0n, buckets: new Map(), min: null, max: null };

export function statsOf(question: Question, result: QuestionResult = noAnswers, isCurrent: boolean): QuestionStats {
  const type = questionTypeOf(question);
  const { responses, respondents, ...counted } = result;
  return {
    questionId: question.questionId,
    elementId: isCurrent ? question.elementId : "",
    name: question.name ?? "",
    typeName: type.typeName,
    responseCount: BigInt(responses),
    uniqueRespondents: BigInt(respondents),
    distributionJson: JSON.stringify(type.distribution(question, { responseCount: responses, ...counted })),
  };
}
