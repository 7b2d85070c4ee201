import type { Api } from "@canvass/sdk";
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

/** Compares each item's count and mean from the service with those computed from the file. */
export function compareItems(
  items: readonly BfiItem[],
  respondents: readonly BfiRespondent[],
  survey: BfiSurvey,
  { questionStats }: Api.Aggregation,
): ItemComparison[] {
  const stats = new Map(questionStats.map((entry) => [entry.questionId, entry]));
  return items.map((item) => {
    const codes = respondents.flatMap((respondent) => respondent.get(item.key) ?? []);
    const fileMean = codes.reduce((sum, code) => sum + code, 0) / codes.length;
    const question = survey.questions.get(item.key)!;
    const asked = stats.get(question.questionId)!;
    const { responseCount } = asked;
    const serviceMean = meanOf(asked, question.choices);
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

function meanOf(stats: Api.QuestionStats, choices: readonly { id: string }[] = []): number {
  if (stats.typeName === "multiple_choice") return meanOfChoices(choices, stats.distribution.counts);
  if (stats.typeName === "rating" || stats.typeName === "number") return stats.distribution.mean ?? Number.NaN;
  throw new Error(`no item is a question of the type ${stats.typeName}`);
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
