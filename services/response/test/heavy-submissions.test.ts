import type { Question } from "@canvass/questions";
import { createMetrics, LONGEST_HOLD_MS, watchEventLoop } from "@canvass/telemetry";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { startHarness, testId } from "./harness.ts";

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

test("the largest submissions, each of which changes 40,000 counters, hold no event loop", async () => {
  await using harness = await startHarness([questions]);
  const respondentId = await harness.start();
  const body = (first: number) => ({
    respondentId,
    metadata: { complete: false },
    responses: questions.map(({ elementId, choices }) => ({
      elementId,
      value: choices!.slice(first, first + 40).map(({ id }) => id),
    })),
  });
  const metrics = createMetrics("test");
  using _loop = watchEventLoop(metrics);
  for (const first of [0, 40, 0, 40]) expect(await harness.submit(body(first))).toMatchObject({ code: "submitted" });
  // A hold is counted by the timer that comes late because of it.
  await delay(50);
  const longest = await metrics.getSingleMetric("nodejs_eventloop_hold_longest_seconds")!.get();
  expect(longest.values[0]!.value * 1_000).toBeLessThan(LONGEST_HOLD_MS);
});
