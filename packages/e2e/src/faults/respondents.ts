import { setTimeout as delay } from "node:timers/promises";
import { insist } from "../insist.ts";
import { completion } from "../small-survey.ts";
import type { WatchedWorkspace } from "./fault-world.ts";

export interface Completion {
  respondentId: string;
  rating: number;
  /** When its answer came, of `performance.now()`. */
  at: number;
}

/** Respondents of a workspace, one after the other. */
export interface Respondents {
  completions: readonly Completion[];
  /** The longest wait for an answer, in milliseconds, over all repetitions. */
  readonly longestAnswerMs: number;
  /** Answers that no respondent should get. */
  faults: readonly string[];
  /** Lets the last one end. */
  stop(): Promise<void>;
}

const PAUSE_MS = 120;
const PATIENCE_MS = 180_000;

/** Starts respondents and completes them, and repeats each request until it is answered. */
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
