import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDemoSystem, type ApiAnswer, type DemoSystem } from "../src/index.ts";

let demo: DemoSystem;
beforeAll(async () => {
  demo = await startDemoSystem();
});
afterAll(() => demo[Symbol.asyncDispose]());

// From before a request has arrived to after its answer has left: a kill falls between every pair of its steps.
const moments = [0, 2, 4, 8, 16, 40];

/** One request whose connection may break: undefined when no answer came. */
const tryCall = (...call: Parameters<DemoSystem["api"]["call"]>): Promise<ApiAnswer | undefined> =>
  demo.api.call(...call).catch(() => undefined);

/**
 * Sends a keyed write, kills a process that many milliseconds later, and repeats the write until it is answered. Gives
 * the answer before the kill, if one came, and the last one.
 */
async function writeThroughKill(victim: string, afterMs: number, path: string, body: object, key: string) {
  const options = { body, headers: { "idempotency-key": key } };
  const first = tryCall("POST", path, options);
  await delay(afterMs);
  await demo.system.kill(victim, "SIGKILL");
  const before = await first;
  await demo.system.waitReady();
  for (;;) {
    const answer = await tryCall("POST", path, options);
    if (answer && answer.status < 300) return { before, last: answer };
    // Only what asks to be repeated may stand between a kill and the answer.
    expect([undefined, 409, 503, 504]).toContain(answer?.status);
    await delay(50);
  }
}

function expectReplay(before: ApiAnswer | undefined, last: ApiAnswer): void {
  if (before && before.status < 300) {
    expect(last.raw).toBe(before.raw);
    expect(last.headers.get("idempotent-replayed")).toBe("true");
    expect(last.headers.get("etag")).toBe(before.headers.get("etag"));
  }
}

test.each(["gateway", "survey"])(
  "a survey is created once, wherever the %s process is killed on the way",
  async (victim) => {
    for (const moment of moments) {
      const name = `killed ${victim} after ${moment} ms`;
      const { before, last } = await writeThroughKill(
        victim,
        moment,
        "/surveys",
        { name },
        `create-${victim}-${moment}`,
      );
      expectReplay(before, last);
      const found = await demo.api.get(`/surveys?q=${encodeURIComponent(name)}&includeTotal=true`);
      expect(found.body.pagination.total).toBe(1);
    }
  },
  240_000,
);

test.each(["gateway", "response"])(
  "answers are counted once, wherever the %s process is killed on the way",
  async (victim) => {
    const questions = [{ type: "rating", text: "How was it?", required: true }];
    const survey = (await demo.api.post("/surveys", { name: `Answers ${victim}`, questions })).data.id;
    await demo.api.post(`/surveys/${survey}/publish`, undefined, { "if-match": "*" });
    const [element] = (await demo.api.get(`/surveys/${survey}/elements`)).data;
    const path = `/response/surveys/${survey}`;
    for (const [index, moment] of moments.entries()) {
      const { respondentId } = (await demo.api.post(`${path}/respondents`, {})).data;
      const body = { respondentId, responses: [{ elementId: element.id, value: 4 }] };
      const { before, last } = await writeThroughKill(victim, moment, path, body, `submit-${victim}-${moment}`);
      expectReplay(before, last);
      const { questionStats, respondentStats } = (await demo.api.get(`${path}/aggregation`)).data;
      expect(respondentStats.totalCompleted).toBe(index + 1);
      expect(questionStats[0].responseCount).toBe(index + 1);
    }
  },
  240_000,
);
