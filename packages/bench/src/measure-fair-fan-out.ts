import { createWorkspace, type ApiClient } from "@canvass/e2e";
import pLimit from "p-limit";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { measureCompletionLatencies } from "./completion-latencies.ts";
import { pageSave, publishPagedSurvey, startRespondents } from "./paged-survey.ts";

/** The limit of a workspace. */
const WEBHOOKS = 20;
const BATCHES = 10;
const BATCH = 100;
/** Nothing listens on this port. */
const CLOSED = "https://127.0.0.1:1";

/**
 * Measures one workspace's webhooks (the slowest, in milliseconds from the last page to the arrival, one respondent
 * after the other) while another workspace completes a thousand responses in ten batches, each for twenty webhooks that
 * refuse connections; and while the other workspace is idle.
 */
export async function measureFairFanOut({ demo, receiver, size, say }: BenchContext): Promise<Measurement> {
  await using running = new AsyncDisposableStack();
  const quick = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));
  await quick.api.post("/event-subscriptions", { name: "Quick", url: receiver.url });
  const other = running.use(await createWorkspace(demo.system, "enterprise", { repeats: false }));
  for (let hook = 0; hook < WEBHOOKS; hook += 1) {
    await other.api.post("/event-subscriptions", { name: `Refuses ${hook}`, url: `${CLOSED}/${hook}` });
  }
  const slowest = async (begin?: () => void) =>
    Math.max(...(await measureCompletionLatencies(quick.api, receiver, size.latencies, begin)));
  await slowest();
  const alone = await slowest();
  const sendBatches = await prepareBatches(other.api);
  let sent: Promise<void> | undefined;
  const beside = await slowest(() => {
    sent = sendBatches();
  });
  await sent;
  say(
    `fair fan-out: ${beside.toFixed(1)} beside ${BATCHES * BATCH * WEBHOOKS} deliveries of another, ${alone.toFixed(1)} alone, ms (slowest)`,
  );
  return measured("fair_fan_out", [beside], [alone], "ms, beside a burst / quiet");
}

async function prepareBatches(api: ApiClient): Promise<() => Promise<void>> {
  const survey = await publishPagedSurvey(api);
  const respondents = await startRespondents(api, survey.surveyId, BATCHES * BATCH);
  const submissions = respondents.map((respondentId) => pageSave(survey, respondentId, survey.pages.length - 1));
  const starts = Array.from({ length: BATCHES }, (_, index) => index * BATCH);
  return async () => {
    await pLimit(BATCHES).map(starts, (start) =>
      api.post(`/response/surveys/${survey.surveyId}/batch`, { submissions: submissions.slice(start, start + BATCH) }),
    );
  };
}
