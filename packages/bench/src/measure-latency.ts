import { Agent, request } from "undici";
import { fillRespondents } from "./bare/tables.ts";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { p99 } from "./p99.ts";
import { pageSave, publishPagedSurvey, startRespondents } from "./paged-survey.ts";

const now = () => performance.timeOrigin + performance.now();

/**
 * Measures milliseconds from sending the last page to the webhook's arrival, one respondent after the other. Returns
 * the median and the 99th percentile.
 */
export async function measureLatency({ demo, bare, receiver, size, say }: BenchContext): Promise<Measurement[]> {
  const survey = await publishPagedSurvey(demo.api);
  const respondents = await startRespondents(demo.api, survey.surveyId, size.latencies);
  await fillRespondents(bare.pool, survey.surveyId, respondents);
  await using cleanUp = new AsyncDisposableStack();
  const agent = new Agent({ connect: { ca: receiver.ca } });
  cleanUp.defer(() => agent.close());
  const ours: number[] = [];
  const plain: number[] = [];
  for (const respondentId of respondents) {
    const body = pageSave(survey, respondentId, survey.pages.length - 1);
    ours.push(
      await arrival(async () => {
        await demo.api.post(`/response/surveys/${survey.surveyId}`, body);
      }),
    );
    plain.push(
      await arrival(async () => {
        const headers = { "content-type": "application/json", "webhook-id": "bare" };
        const url = `${bare.url}/surveys/${survey.surveyId}/answers`;
        const answer = await request(url, { method: "POST", headers, body: JSON.stringify({ ...body, isLast: true }) });
        await answer.body.dump();
        const sent = await request(receiver.url, { dispatcher: agent, method: "POST", headers, body: "{}" });
        await sent.body.dump();
      }),
    );
  }
  const result = measured("completion_to_webhook", ours, plain, "ms");
  const slowest = measured("completion_to_webhook_p99", [p99(ours)], [p99(plain)], "ms");
  const told = ({ ours: our, bare: their }: Measurement) => `${our.toFixed(1)} ours, ${their.toFixed(1)} bare ms`;
  say(`completion to webhook: ${told(result)} (median), ${told(slowest)} (p99)`);
  return [result, slowest];

  async function arrival(complete: () => Promise<void>): Promise<number> {
    const started = now();
    await complete();
    const [{ at } = { at: Number.NaN }] = await receiver.take(1);
    return at - started;
  }
}
