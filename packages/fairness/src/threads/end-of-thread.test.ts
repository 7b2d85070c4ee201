import { expect, test } from "vitest";
import { Worker } from "node:worker_threads";
import { endOfThread } from "./end-of-thread.ts";

test.each([
  ["process.exit(3)", "the thread ended with code 3"],
  ["", "the thread ended with code 0"],
  ["throw new Error('no room')", "no room"],
  ["throw 'no room'", "no room"],
])("a thread that runs %j ends with %j", async (program, message) => {
  const worker = new Worker(new URL(`data:text/javascript,${program}`));
  expect(await endOfThread(worker)).toEqual(new Error(message));
});
