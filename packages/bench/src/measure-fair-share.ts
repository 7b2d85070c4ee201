import { createWorkspace, type ApiClient } from "@canvass/e2e";
import { setTimeout as delay } from "node:timers/promises";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { floodOfSubmissions, floodOfSurveys, type StartFlood } from "./fair-share-floods.ts";
import { p99 } from "./p99.ts";
import { pageSave, publishPagedSurvey } from "./paged-survey.ts";

const pauseMs = 5;

/**
 * Measures one workspace's calls (99th percentile, milliseconds) while another workspace sends its heaviest requests at
 * the token's rate limit, and while it is idle. Editors call beside created surveys, respondents beside submitted
 * answers.
 */
export async function measureFairShare(context: BenchContext): Promise<Measurement[]> {
  return [
    await measureFlood(context, "fair_share", useFor, floodOfSurveys),
    await measureFlood(context, "fair_share_answers", answerFor, floodOfSubmissions),
  ];
}

/** Compares one workspace's calls beside another's flood with the same calls while it is quiet. */
export async function measureFlood(
  { demo, size, say }: BenchContext,
  name: "fair_share" | "fair_share_answers" | "fair_crosstabs",
  use: (api: ApiClient, seconds: number) => Promise<number[]>,
  startFlood: StartFlood,
): Promise<Measurement> {
  await using other = await createWorkspace(demo.system, "enterprise", { repeats: false });
  await use(other.api, size.floodSeconds);
  const quiet: number[] = [];
  const flooded: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    quiet.push(p99(await use(other.api, size.floodSeconds)));
    await using _flood = await startFlood(demo.api);
    flooded.push(p99(await use(other.api, size.floodSeconds)));
    say(`${name} ${round + 1}: ${flooded[round]!.toFixed(1)} in the flood, ${quiet[round]!.toFixed(1)} quiet ms (p99)`);
  }
  return measured(name, flooded, quiet, "ms (p99), flood / quiet");
}

/** Calls the API as an editor does, one call after the other. Returns the milliseconds of each call. */
async function useFor(api: ApiClient, seconds: number): Promise<number[]> {
  const { timed, times } = timer();
  const ends = performance.now() + seconds * 1000;
  while (performance.now() < ends) {
    const { id } = (await timed(api.post("/surveys", { name: "Small" }))).data;
    await timed(api.post(`/surveys/${id}/questions`, { questions: [{ type: "rating", text: "How was it?" }] }));
    await timed(api.get(`/surveys/${id}/elements`));
    await timed(api.get(`/surveys/${id}`));
    await timed(api.get("/surveys?limit=10"));
  }
  return times;
}

/** Starts respondents one after the other and saves three pages for each. Returns the milliseconds of each call. */
export async function answerFor(api: ApiClient, seconds: number): Promise<number[]> {
  const { timed, times } = timer();
  const survey = await publishPagedSurvey(api);
  const path = `/response/surveys/${survey.surveyId}`;
  const ends = performance.now() + seconds * 1000;
  while (performance.now() < ends) {
    const { respondentId } = (await timed(api.post(`${path}/respondents`, {}))).data;
    for (let page = 0; page < 3; page += 1) await timed(api.post(path, pageSave(survey, respondentId, page)));
  }
  return times;
}

function timer() {
  const times: number[] = [];
  async function timed<Result>(call: Promise<Result>): Promise<Result> {
    const started = performance.now();
    const result = await call;
    times.push(performance.now() - started);
    await delay(pauseMs);
    return result;
  }
  return { times, timed };
}
