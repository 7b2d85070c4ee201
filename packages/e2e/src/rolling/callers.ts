import { setTimeout as delay } from "node:timers/promises";
import { insist } from "../insist.ts";
import type { WatchedWorkspace } from "../faults/fault-world.ts";

/** Callers that read, list and write. Each sends one request after the other. */
export interface Callers {
  /** Names of surveys whose creation succeeded. */
  created: readonly string[];
  faults: readonly string[];
  stop(): Promise<void>;
}

const PAUSE_MS = 50;

export function sendCallers({ api, survey }: WatchedWorkspace, label: string): Callers {
  const results = `/response/surveys/${survey.surveyId}`;
  const created: string[] = [];
  const faults: string[] = [];
  const stopping = new AbortController();

  async function author(round: number): Promise<void> {
    const name = `${label} ${round}`;
    const answer = await insist(api, "/surveys", { name });
    if (answer.status !== 201) throw new Error(`POST /surveys answered ${answer.status}: ${answer.raw}`);
    created.push(name);
    const questions = [{ type: "short_text", text: "Why?" }];
    await insist(api, `/surveys/${answer.data.id}/questions`, { questions });
  }

  const reads = [
    `/surveys/${survey.surveyId}`,
    "/surveys?limit=10",
    `${results}/aggregation`,
    `${results}/respondents?limit=10`,
    `${results}?limit=10`,
    "/event-subscriptions",
  ];
  const read = async (round: number): Promise<void> => {
    const path = reads[round % reads.length]!;
    const { status, raw } = await api.call("GET", path);
    if (status >= 400 && status < 500) throw new Error(`GET ${path} answered ${status}: ${raw}`);
  };

  async function repeat(work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      // Only 4xx count here: the client counts 5xx and missing responses.
      await work(round).catch((error: unknown) => /answered 4/.test(String(error)) && faults.push(String(error)));
      await delay(PAUSE_MS);
    }
  }

  const running = [repeat(read), repeat(read), repeat(author)];
  return {
    created,
    faults,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
