import pLimit from "p-limit";
import { Agent, request } from "undici";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import type { Receiver } from "./receiver.ts";
import { pageSave, publishPagedSurvey, startRespondents } from "./paged-survey.ts";

const concurrency = 50;

/**
 * Measures draining a backlog. Responses complete while the delivery service is stopped; then measures the time from
 * the first to the last arrival. The service process is new, so the time includes compiling its code.
 */
export async function measureDeliveries(context: BenchContext): Promise<Measurement> {
  const { size, say, receiver } = context;
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    ours.push(await oursPerSecond(context));
    bare.push(await barePerSecond(receiver, size.deliveries));
    say(`deliveries ${round + 1}: ${Math.round(ours[round]!)} ours, ${Math.round(bare[round]!)} bare deliveries/s`);
  }
  return measured("deliveries", ours, bare, "deliveries/s");
}

async function oursPerSecond({ demo: { api, system }, receiver, size }: BenchContext): Promise<number> {
  const survey = await publishPagedSurvey(api);
  const respondents = await startRespondents(api, survey.surveyId, size.deliveries);
  const last = survey.pages.length - 1;
  await system.stop("delivery");
  await pLimit(64).map(respondents, async (respondentId) => {
    await api.post(`/response/surveys/${survey.surveyId}`, pageSave(survey, respondentId, last));
  });
  await system.start("delivery");
  return perSecond((await receiver.take(size.deliveries)).map(({ at }) => at));
}

/** Deliveries per second of a loop that posts to the receiver and stores nothing. */
export async function barePerSecond(receiver: Receiver, count: number): Promise<number> {
  await using cleanUp = new AsyncDisposableStack();
  const agent = new Agent({ connections: concurrency, connect: { ca: receiver.ca } });
  cleanUp.defer(() => agent.close());
  const body = JSON.stringify({
    type: "response.completed",
    timestamp: new Date().toISOString(),
    data: { workspace_id: "w".repeat(16), survey_id: "s".repeat(16), response_id: "r".repeat(16), completed_at: "x" },
  });
  const headers = { "content-type": "application/json", "webhook-id": "bare" };
  await pLimit(concurrency).map(Array.from({ length: count }), async () => {
    const answer = await request(receiver.url, { dispatcher: agent, method: "POST", body, headers });
    await answer.body.dump();
  });
  return perSecond((await receiver.take(count)).map(({ at }) => at));
}

export function perSecond(times: readonly number[]): number {
  const milliseconds = Math.max(...times) - Math.min(...times);
  return ((times.length - 1) / milliseconds) * 1000;
}
