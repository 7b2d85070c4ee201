import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take twenty seconds or more, the longest first, so that none ends a run alone. Those that mostly wait (for
 * deadlines, leases, retries) stand between those that work, so that the cores are busy all the time.
 */
const longest = [
  "packages/e2e/test/idempotency-kills",
  "packages/e2e/test/any-input",
  // Waits.
  "packages/e2e/test/kills",
  // Waits.
  "packages/events/test/trouble",
  // Waits.
  "packages/e2e/test/outages",
  "packages/e2e/test/callers",
  // Waits.
  "packages/e2e/test/tls",
  "packages/e2e/test/people",
  "packages/e2e/test/canvass",
  // Waits.
  "packages/servers/src/postgres/start-postgres",
  "gateway/test/streams-memory",
  "services/response/test/exports",
  "packages/e2e/test/surveys",
  "packages/e2e/test/trouble",
  // Waits.
  "packages/e2e/test/webhooks",
  "gateway/test/streams",
  "packages/e2e/test/fresh-start",
  // Waits.
  "packages/e2e/test/receiving",
  "packages/dev-env/test/foreground",
  // Waits.
  "packages/events/test/replicas",
  "gateway/test/fuzz/fuzz",
].map((file) => `/${file}.test.ts`);

/** Runs the long files first, then other whole-system tests, and the rest as vitest orders them. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((file) => moduleId.endsWith(file));
  if (index >= 0) return index;
  return moduleId.includes("/packages/e2e/") ? longest.length : longest.length + 1;
}
