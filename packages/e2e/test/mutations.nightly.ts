import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyMutation } from "../src/mutations/apply-mutation.ts";
import { copyWorkspace } from "../src/mutations/copy-workspace.ts";
import { mutations } from "../src/mutations/mutations.ts";
import { runTests } from "../src/mutations/run-tests.ts";

const timeout = 600_000;
const running = new AsyncDisposableStack();
/** Root of the copy of the work tree in which the edits are made. */
let root: string;
beforeAll(async () => void (root = running.use(await copyWorkspace()).path));
afterAll(() => running.disposeAsync());

test("without an edit, the tests that catch them pass", { timeout }, async ({ signal }) => {
  const files = [...new Set(mutations.map(({ caughtBy }) => caughtBy))];
  const { passed, failed, errors } = await runTests(root, files, signal);
  expect({ failed, errors }).toEqual({ failed: [], errors: [] });
  expect(passed.length).toBeGreaterThan(files.length);
});

test("the edits have no type error", { timeout }, async ({ signal }) => {
  await using edits = new AsyncDisposableStack();
  for (const mutation of mutations) edits.use(await applyMutation(root, mutation));
  const args = ["node_modules/typescript/bin/tsc", "--noEmit", "--checkers", "1"];
  const checked = promisify(execFile)(process.execPath, args, { cwd: root, signal });
  expect((await checked.catch((error: { stdout?: string }) => error)).stdout).toBe("");
});

/** Errors of code that does not run at all. */
const broken = /^(Syntax|Reference|Type)Error/;
const rows = mutations.map((mutation) => [mutation.edit, mutation.caughtBy, mutation] as const);

test.for(rows)("%s: %s fails", { timeout }, async ([, caughtBy, mutation], { signal }) => {
  await using _edit = await applyMutation(root, mutation);
  const { failed, errors } = await runTests(root, [caughtBy], signal);
  expect(errors).toEqual([]);
  const messages = failed.flatMap(({ messages }) => messages);
  expect(messages.filter((message) => !broken.test(message))).not.toEqual([]);
});
