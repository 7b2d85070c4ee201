import type { Question } from "@canvass/questions";
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { callOptions } from "@canvass/rpc";
import { numberQuestion, startHarness, surveyId, testId } from "./harness.ts";

/** The largest submission there may be: 500 answers of 40 choices each. */
const questions = Array.from({ length: 500 }, (_, at): Question => ({
  elementId: testId(`e${at}x`),
  questionId: testId(`q${at}x`),
  type: 4,
  text: "Which?",
  helpText: null,
  choices: Array.from({ length: 80 }, (_, choice) => ({
    id: testId(`c${at}x${choice}x`),
    text: "This",
    value: null,
    retired: false,
  })),
  typeSettings: { multipleAnswers: true, other: { enabled: false, label: "Other", choiceId: null } },
  responseValidation: { required: false },
}));

/**
 * The service in a process of its own: the caller, and what else a worker's process holds, are not measured with it.
 */
async function startOwnProcess(environment: NodeJS.ProcessEnv) {
  const env = { ...process.env, ...environment, CANVASS_LOG_LEVEL: "fatal" };
  const child = fork(new URL("fixture/own-process.ts", import.meta.url), { env, execArgv: [] });
  const [url] = (await once(child, "message")) as [string];
  child.send("opsUrl");
  const [opsUrl] = (await once(child, "message")) as [string];
  return { url, opsUrl, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

async function longestHoldMs(opsUrl: string): Promise<number> {
  // A hold is counted by the timer that comes late because of it.
  await delay(50);
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return 1_000 * Number(/^nodejs_eventloop_hold_longest_seconds(?:\{.*?\})? (.+)$/m.exec(metrics)![1]);
}

test("the largest submissions, each of which changes 40,000 counters, block no event loop", async () => {
  await using harness = await startHarness([questions]);
  using own = await startOwnProcess(harness.environment);
  await using client = harness.clientAt(own.url);
  const respondentId = await harness.start();
  const body = (first: number) => ({
    respondentId,
    metadata: { complete: false },
    responses: questions.map(({ elementId, choices }) => ({
      elementId,
      value: choices!.slice(first, first + 40).map(({ id }) => id),
    })),
  });
  for (const first of [0, 40, 0, 40]) {
    const submission = { caller: harness.signed(), surveyId, bodyJson: JSON.stringify(body(first)) };
    const { results } = await client.batchSubmitAnswers({ submissions: [submission] });
    expect(results[0]!.outcome.case).toBe("submitted");
  }
  expect(await longestHoldMs(own.opsUrl)).toBeLessThan(50);
});

test("neither a completion nor a list in a survey of two million questions in repetitions blocks the event loop", async () => {
  const choice = { ...questions[0]!, elementId: testId("choicex"), questionId: testId("choiceq") };
  const choices = Array.from({ length: 200 }, (_, at) => ({ ...choice.choices![0]!, id: testId(`item${at}x`) }));
  const pages = Array.from({ length: 100 }, (_, page) =>
    Array.from({ length: 100 }, (__, at): Question => {
      const name = `${page}x${at}x`;
      return { ...numberQuestion("n"), elementId: testId(`e${name}`), questionId: testId(`q${name}`) };
    }),
  );
  await using harness = await startHarness([[{ ...choice, choices }], ...pages, [numberQuestion("last")]]);
  for (const page of harness.survey.versions.get(1)!.pages.slice(1, -1)) page.loop = { elementId: choice.elementId };
  using own = await startOwnProcess(harness.environment);
  await using client = harness.clientAt(own.url);
  const responses = [{ elementId: choice.elementId, value: choices.map(({ id }) => id) }];
  for (let number = 0; number < 5; number++) {
    const bodyJson = JSON.stringify({ respondentId: await harness.start(), responses });
    const submission = { caller: harness.signed(), surveyId, bodyJson };
    const { results } = await client.batchSubmitAnswers({ submissions: [submission] });
    expect(results[0]!.outcome.case).toBe("submitted");
  }
  await client.listRespondents({ surveyId, limit: 100 }, callOptions({ signedCaller: harness.signed() }));
  expect(await longestHoldMs(own.opsUrl)).toBeLessThan(150);
});
