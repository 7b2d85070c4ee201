import type { ApiClient } from "@canvass/e2e";
import { setTimeout as delay } from "node:timers/promises";
import { pageSave, publishPagedSurvey, startRespondents } from "./paged-survey.ts";
import type { Receiver } from "./receiver.ts";

const now = () => performance.timeOrigin + performance.now();
const PAUSE_MS = 40;

/**
 * Completes `count` respondents of a new survey, one after the other. Returns the milliseconds from sending the last
 * page to the webhook's arrival for each. Calls `begin` before the first.
 */
export async function measureCompletionLatencies(
  api: ApiClient,
  receiver: Receiver,
  count: number,
  begin: () => void = () => undefined,
): Promise<number[]> {
  const survey = await publishPagedSurvey(api);
  const latencies: number[] = [];
  const respondents = await startRespondents(api, survey.surveyId, count);
  begin();
  for (const respondentId of respondents) {
    const started = now();
    await api.post(`/response/surveys/${survey.surveyId}`, pageSave(survey, respondentId, survey.pages.length - 1));
    const [arrival] = await receiver.take(1);
    latencies.push(arrival!.at - started);
    await delay(PAUSE_MS);
  }
  return latencies;
}
