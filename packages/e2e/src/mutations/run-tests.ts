import { execFile } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface TestRun {
  passed: string[];
  failed: { name: string; messages: string[] }[];
  /** Messages of files that failed to load. */
  errors: string[];
}

/** Output of vitest's `json` reporter. */
interface Report {
  testResults: {
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/**
 * Runs test files of the test command in the work tree at `root`, with that tree's configuration. Throws if vitest
 * itself fails.
 */
export async function runTests(root: string, files: readonly string[], signal: AbortSignal): Promise<TestRun> {
  const outputFile = join(root, "test-report.json");
  // Removes an earlier run's report.
  await rm(outputFile, { force: true });
  const report = ["--reporter=json", `--outputFile=${outputFile}`];
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project=!nightly", ...report, ...files];
  const options = { cwd: root, env: ownEnvironment(), maxBuffer: 2 ** 26, signal };
  // A failed test also sets the exit status; the report has the details.
  const ended = await run(process.execPath, args, options).catch((error: { stderr?: string }) => error);
  const text = await readFile(outputFile, "utf8").catch(() => {
    throw new Error(`vitest made no report: ${ended.stderr}`);
  });
  const { testResults } = JSON.parse(text) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (status: string) => tests.filter((test) => test.status === status);
  return {
    passed: of("passed").map(({ fullName }) => fullName),
    failed: of("failed").map(({ fullName, failureMessages }) => ({ name: fullName, messages: failureMessages })),
    errors: testResults.flatMap(({ message }) => (message === "" ? [] : [message])),
  };
}

/** The environment without the variables that vitest sets for its workers. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
}
