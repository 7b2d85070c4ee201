import type { ApiClient, Json } from "../../api-client.ts";
import { addedWay, times, ways, type CommuteAnswer } from "./commute-answers.ts";
import type { CommuteSurvey } from "./commute-survey.ts";

/** Results by name, in survey order: people, a count for each choice, and the mean of the rating. */
export type Counts = Map<string, number>;

export function countAnswers(answers: readonly CommuteAnswer[]): Counts {
  const count = (fits: (answer: CommuteAnswer) => boolean) => answers.filter(fits).length;
  return new Map([
    ["people", answers.length],
    ...[...ways, addedWay].map((way) => [way, count((answer) => answer.ways.includes(way))] as const),
    ...times.map((time) => [time, count((answer) => answer.time === time)] as const),
    ["content (mean)", answers.reduce((sum, { content }) => sum + content, 0) / answers.length],
    ["owns a car (retired)", count(({ ownsCar }) => ownsCar === true)],
    ["owns none (retired)", count(({ ownsCar }) => ownsCar === false)],
  ]);
}

/** Reads the same figures from the service's results over all versions. */
export async function readCounts(api: ApiClient, { surveyId, questions }: CommuteSurvey): Promise<Counts> {
  const { questionStats, respondentStats } = (await api.get(`/response/surveys/${surveyId}/aggregation`)).data;
  const distribution = (key: keyof CommuteAnswer): Json =>
    questionStats.find((stats: Json) => stats.questionId === questions[key].questionId).distribution;
  const chosen = (key: "ways" | "time", text: string): number =>
    distribution(key).counts[questions[key].choices.get(text) ?? ""] ?? 0;
  return new Map([
    ["people", respondentStats.totalCompleted],
    ...[...ways, addedWay].map((way) => [way, chosen("ways", way)] as const),
    ...times.map((time) => [time, chosen("time", time)] as const),
    ["content (mean)", distribution("content").mean],
    ["owns a car (retired)", distribution("ownsCar").counts.true],
    ["owns none (retired)", distribution("ownsCar").counts.false],
  ]);
}
