import { setTimeout as delay } from "node:timers/promises";
import { insist } from "../insist.ts";
import { completion } from "../small-survey.ts";
import type { WatchedWorkspace } from "./fault-world.ts";

export interface Completion {
  respondentId: string;
  rating: number;
  /** Time of the final response, by `performance.now()`. */
  at: number;
}

/** Sends respondents of a workspace, one after the other. */
export interface Respondents {
  completions: readonly Completion[];
  /** The longest wait for a final response, in milliseconds, including repeats. */
  readonly longestAnswerMs: number;
  /** Responses that no respondent should get. */
  faults: readonly string[];
  /** Resolves when the last respondent is done. */
  stop(): Promise<void>;
}

const PAUSE_MS = 120;
const PATIENCE_MS = 180_000;

/** Starts and completes respondents. Repeats each request until it has a final response. */
export function sendRespondents({ api, survey }: WatchedWorkspace): Respondents {
  const path = `/response/surveys/${survey.surveyId}`;
  const completions: Completion[] = [];
  const faults: string[] = [];
  const stopping = new AbortController();
  let longestAnswerMs = 0;

  async function ask(route: string, body: unknown) {
    const begun = performance.now();
    const answer = await insist(api, route, body, PATIENCE_MS);
    longestAnswerMs = Math.max(longestAnswerMs, performance.now() - begun);
    if (answer.status >= 300) throw new Error(`POST ${route} answered ${answer.status}: ${answer.raw}`);
    return answer.data;
  }

  async function sendOne(rating: number): Promise<void> {
    const { respondentId } = await ask(`${path}/respondents`, {});
    const { respondentStatus } = await ask(path, completion(survey, respondentId, rating));
    if (respondentStatus !== "completed") throw new Error(`${respondentId} is ${respondentStatus}`);
    completions.push({ respondentId, rating, at: performance.now() });
  }

  async function sendAll(): Promise<void> {
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      await sendOne(1 + (sent % 5)).catch((error: unknown) => faults.push(String(error)));
      await delay(PAUSE_MS);
    }
  }

  const sending = sendAll();
  return {
    completions,
    faults,
    get longestAnswerMs() {
      return longestAnswerMs;
    },
    async stop() {
      stopping.abort();
      await sending;
    },
  };
}
