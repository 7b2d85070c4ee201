import { createWorkspace, type ApiClient } from "@canvass/e2e";
import { setTimeout as delay } from "node:timers/promises";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";

/** 240 a minute is what one token may write. */
const floodEveryMs = 250;
const pauseMs = 5;

/**
 * What one workspace's calls take (99th percentile, milliseconds) while another creates surveys of 1,000 questions as
 * often as a token may, beside what they take when it is quiet.
 */
export async function measureFairShare({ demo, size, say }: BenchContext): Promise<Measurement> {
  await using other = await createWorkspace(demo.system);
  await useFor(other.api, size.floodSeconds);
  const quiet: number[] = [];
  const flooded: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    quiet.push(p99(await useFor(other.api, size.floodSeconds)));
    await using _flood = startFlood(demo.api);
    flooded.push(p99(await useFor(other.api, size.floodSeconds)));
    say(
      `fair share ${round + 1}: ${flooded[round]!.toFixed(1)} in the flood, ${quiet[round]!.toFixed(1)} quiet ms (p99)`,
    );
  }
  return measured("fair_share", flooded, quiet, "ms (p99), flood / quiet");
}

/** Uses the API for a while as an editor would, one call after the other; milliseconds of each. */
async function useFor(api: ApiClient, seconds: number): Promise<number[]> {
  const times: number[] = [];
  async function timed<Result>(call: Promise<Result>): Promise<Result> {
    const started = performance.now();
    const result = await call;
    times.push(performance.now() - started);
    await delay(pauseMs);
    return result;
  }
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

/** Sends the heaviest write again and again; disposing stops it and waits for what is under way. */
function startFlood(api: ApiClient): AsyncDisposable {
  const questions = Array.from({ length: 1000 }, (_, index) => ({ type: "rating", text: `Statement ${index}` }));
  const body = JSON.stringify({ name: "Heavy", questions });
  const underWay = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const call = api.call("POST", "/surveys", { body }).finally(() => underWay.delete(call));
    underWay.add(call);
  }, floodEveryMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await Promise.allSettled(underWay);
    },
  };
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
