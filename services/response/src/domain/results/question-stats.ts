import { mergeBars, questionTypeOf, type AnswerStats, type HistogramBar, type Question } from "@canvass/questions";

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

export interface StatsOptions {
  isCurrent: boolean;
  /** Most bars of a histogram. 0: all there are. */
  bins: number;
}

export function statsOf(
  question: Question,
  result: QuestionResult = noAnswers,
  { isCurrent, bins }: StatsOptions,
): QuestionStats {
  const type = questionTypeOf(question);
  const { responses, respondents, ...counted } = result;
  const distribution = type.distribution(question, { responseCount: responses, ...counted });
  return {
    questionId: question.questionId,
    elementId: isCurrent ? question.elementId : "",
    name: question.name ?? "",
    typeName: type.typeName,
    responseCount: BigInt(responses),
    uniqueRespondents: BigInt(respondents),
    distributionJson: JSON.stringify(bins === 0 ? distribution : withBins(distribution, bins)),
  };
}

function withBins(distribution: Record<string, unknown>, bins: number): Record<string, unknown> {
  const { histogram } = distribution as { histogram?: HistogramBar[] };
  return histogram ? { ...distribution, histogram: mergeBars(histogram, bins) } : distribution;
}
