import type { Canvass } from "@canvass/sdk";
import type { Database } from "./open-database.ts";

const COUNT = `SELECT (SELECT count(*) FROM respondents WHERE NOT is_test)::INTEGER AS started,
(SELECT count(*) FROM respondents WHERE NOT is_test AND completed_at IS NOT NULL)::INTEGER AS completed,
(SELECT count(*) FROM answers JOIN respondents USING (respondent_id) WHERE NOT is_test)::INTEGER AS answers`;

/** Compares the local counts with those of the API. They show erasures and retracted answers. */
export async function compareCounts(
  { canvass, database, signal }: { canvass: Canvass; database: Database; signal: AbortSignal },
  surveyId: string,
): Promise<"same" | "more" | "fewer"> {
  const { respondentStats, questionStats } = await canvass.results.get(surveyId, { includeOffPath: true }, { signal });
  const [here = {}] = await database.read(COUNT);
  const differences = [
    Number(here["started"]) - respondentStats.totalStarted,
    Number(here["completed"]) - respondentStats.totalCompleted,
    Number(here["answers"]) - questionStats.reduce((sum, { responseCount }) => sum + responseCount, 0),
  ];
  if (differences.some((difference) => difference > 0)) return "more";
  return differences.some((difference) => difference < 0) ? "fewer" : "same";
}
