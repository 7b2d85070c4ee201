import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take twenty seconds or more, longest first, so that none runs alone at the end. */
const longest = [
  "services/response/test/collecting",
  "packages/e2e/test/any-input",
  "packages/e2e/test/callers",
  "packages/events/test/trouble",
  "packages/e2e/test/idempotency-kills",
  "services/response/test/exports",
  "packages/e2e/test/unresponsive-services",
  "packages/e2e/test/start-and-stop",
  "packages/e2e/test/people",
  "packages/e2e/test/outages",
  "packages/e2e/test/collecting-kills",
  "packages/e2e/test/tls",
  "packages/dev-env/test/servers/start-postgres",
  "packages/e2e/test/trouble",
  "packages/e2e/test/moving",
  "packages/e2e/test/kills",
  "packages/e2e/test/fresh-start",
  "packages/e2e/test/guides",
  "services/delivery/test/draining-queues",
  "packages/respondent-page/test/passing-words",
  "packages/rpc/test/large-answers",
  "packages/dev-env/test/killed-launcher",
  "packages/e2e/test/surveys",
  "services/response/test/export-bounds",
  "services/response/test/verify-results",
  "packages/respondent-page/test/disturbed",
  "packages/e2e/test/webhooks",
  "packages/dev-env/test/foreground",
  "services/delivery/test/trouble",
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
