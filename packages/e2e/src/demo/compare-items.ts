import type { BfiItem, BfiRespondent } from "../bfi.ts";
import type { BfiSurvey } from "../bfi-survey.ts";

export interface ItemComparison {
  key: string;
  text: string;
  fileCount: number;
  serviceCount: number;
  fileMean: number;
  serviceMean: number;
  isEqual: boolean;
}

interface Aggregation {
  questionStats: { questionId: string; responseCount: number; distribution: Distribution }[];
}

interface Distribution {
  mean?: number;
  counts?: Record<string, number>;
}

/** Compares each item's count and mean from the service with those computed from the file. */
export function compareItems(
  items: readonly BfiItem[],
  respondents: readonly BfiRespondent[],
  survey: BfiSurvey,
  aggregation: Aggregation,
): ItemComparison[] {
  const stats = new Map(aggregation.questionStats.map((entry) => [entry.questionId, entry]));
  return items.map((item) => {
    const codes = respondents.flatMap((respondent) => respondent.get(item.key) ?? []);
    const fileMean = codes.reduce((sum, code) => sum + code, 0) / codes.length;
    const question = survey.questions.get(item.key)!;
    const { responseCount, distribution } = stats.get(question.questionId)!;
    const serviceMean = distribution.mean ?? meanOfChoices(question.choices ?? [], distribution.counts ?? {});
    return {
      key: item.key,
      text: item.text,
      fileCount: codes.length,
      serviceCount: responseCount,
      fileMean,
      serviceMean,
      isEqual: codes.length === responseCount && Math.abs(fileMean - serviceMean) < 1e-12 * Math.abs(fileMean),
    };
  });
}

/** The mean code of a choice question. Its choices are in the order of the codes 1, 2, ... */
function meanOfChoices(choices: readonly { id: string }[], counts: Record<string, number>): number {
  let sum = 0;
  let total = 0;
  choices.forEach(({ id }, index) => {
    sum += (index + 1) * (counts[id] ?? 0);
    total += counts[id] ?? 0;
  });
  return sum / total;
}
