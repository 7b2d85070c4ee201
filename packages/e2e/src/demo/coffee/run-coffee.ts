import { createHttpApi, fillSurvey } from "@canvass/operator";
import Table from "cli-table3";
import type { ApiClient, Json } from "../../api-client.ts";
import { compactTable } from "../compact-table.ts";
import { coffeeDocument } from "./coffee-survey.ts";

const respondents = 60;
const seed = 7;

export interface CoffeeResult {
  surveyId: string;
  isRight: boolean;
}

/** Publishes a survey with display logic in three languages, fills it with sample respondents, prints the results. */
export async function runCoffee(
  api: ApiClient,
  place: { baseUrl: string; token: string },
  output: NodeJS.WritableStream = process.stdout,
): Promise<CoffeeResult> {
  const { id: surveyId } = (await api.post("/surveys/import", coffeeDocument)).data;
  await api.post(`/surveys/${surveyId}/publish`, undefined, { "if-match": "*" });
  const stop = new AbortController().signal;
  const filled = await fillSurvey(createHttpApi(place), {
    surveyId,
    responses: respondents,
    concurrency: 4,
    seed,
    stop,
  });
  const { questionStats, respondentStats } = (await api.get(`/response/surveys/${surveyId}/aggregation`)).data;
  const [quota] = (await api.get(`/surveys/${surveyId}/quotas`)).data.quotas;
  const statsOf = (name: string): Json => questionStats.find((stats: Json) => stats.name === name);
  const [drink] = (await api.get(`/surveys/${surveyId}/elements?include=content`)).data;
  const coffee = drink.choices.find(({ code }: Json) => code === "coffee").id;
  const coffeeIn = (name: string): number => statsOf(name).distribution.counts[coffee] ?? 0;
  const answers = questionStats.reduce((sum: number, { responseCount }: Json) => sum + responseCount, 0);
  const checks = [
    row("completed", respondentStats.totalCompleted, filled.completed),
    row("answers", answers, filled.answers),
    row("answers about cups, by those who drink coffee", statsOf("cups").responseCount, coffeeIn("drinks"), "most"),
    row("who like coffee best, of those who drink it", coffeeIn("best"), coffeeIn("drinks"), "most"),
    row("seats of the tasting that are taken", quota.count, quota.limit, "most"),
    row("came when all seats were taken", filled.quotaFull, respondents - filled.respondents),
  ];
  const table = new Table({
    head: ["", "service", "expected", ""],
    colAligns: ["left", "right", "right", "left"],
    ...compactTable,
  });
  for (const { name, shown, expected, isRight } of checks) table.push([name, shown, expected, isRight ? "✓" : "✗"]);
  const languages = Object.entries(filled.languages).map(([language, count]) => `${language} ${count}`);
  output.write(`\nLanguages of the respondents: ${languages.join(", ")}\n${table.toString()}\n`);
  return { surveyId, isRight: checks.every(({ isRight }) => isRight) };
}

function row(name: string, shown: number, expected: number, relation: "equal" | "most" = "equal") {
  const isRight = relation === "equal" ? shown === expected : shown <= expected;
  return { name, shown, expected: `${relation === "most" ? "at most " : ""}${expected}`, isRight };
}
