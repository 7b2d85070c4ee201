import { expect, test } from "vitest";
import { factsOf } from "../../domain/results/tables/axis-input.ts";
import { openComputations, type ComputationOptions } from "./open-computations.ts";

const answering = "import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ work }) =>";
/** Answers with the survey's id, and never where that is `hang`. */
const program = new URL(
  `data:text/javascript,${answering} work.query.surveyId === 'hang' || parentPort.postMessage({ outcome: { result: work.query.surveyId } }));`,
);
const surveys: ComputationOptions["surveys"] = {
  version: () => Promise.reject(new Error("is not asked")),
};
const open = (options: Partial<ComputationOptions> = {}) =>
  openComputations({ databaseUrl: "", surveys, program, ...options });
const input = { timeZone: "UTC", dayStarts: [] };
const queryOf = (workspaceId: string, surveyId: string) => ({
  workspaceId,
  surveyId,
  filter: {},
  timeZone: "UTC",
  wanted: factsOf([]),
  allAnswers: true,
  includeOffPath: false,
});

test("each of two workspaces has a thread, and a third computation of one workspace is refused", async () => {
  await using computations = open({ perWorkspace: 2, total: 6 });
  const leaving = new AbortController();
  const run = (workspaceId: string, surveyId: string, signal = leaving.signal) =>
    computations.run("aggregation", queryOf(workspaceId, surveyId), input, signal);
  const hanging = run("a", "hang");
  const waiting = run("a", "next", new AbortController().signal);
  await expect(run("a", "third")).rejects.toMatchObject({
    code: "rate_limited",
    details: { concurrent_computations: 2 },
  });
  expect(await run("b", "own")).toBe("own");
  leaving.abort(new Error("has left"));
  await expect(hanging).rejects.toThrow("has left");
  expect(await waiting).toBe("next");
});

test("a computation that takes too long fails with advice", async () => {
  await using computations = open({ longestMs: 200 });
  const run = (surveyId: string) =>
    computations.run("aggregation", queryOf("a", surveyId), input, new AbortController().signal);
  await expect(run("hang")).rejects.toMatchObject({
    code: "deadline_exceeded",
    message: expect.stringContaining("Ask for fewer respondents") as string,
  });
});
