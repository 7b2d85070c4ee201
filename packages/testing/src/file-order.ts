import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take twenty seconds or more, longest first, so that none runs alone at the end of its project. */
const longest = [
  "packages/e2e/test/generated-clients",
  "services/response/test/collecting",
  "packages/e2e/test/any-input",
  "packages/e2e/test/callers",
  "packages/e2e/test/surveys",
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
  "services/delivery/test/draining-queues",
  "packages/respondent-page/test/passing-words",
  "packages/rpc/test/large-answers",
  "packages/dev-env/test/killed-launcher",
  "services/response/test/export-bounds",
  "services/response/test/verify-results",
  "packages/respondent-page/test/disturbed",
  "packages/e2e/test/webhooks",
  "packages/dev-env/test/foreground",
  "services/delivery/test/trouble",
].map((file) => `/${file}.test.ts`);

/** Runs the files of a project in a row, because a worker ends where the next file is of another one. */
export default class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => projectRank(a) - projectRank(b) || rank(a) - rank(b));
  }
}

const projects = ["system", "service", "unit", "nightly"];
const projectRank = ({ project }: TestSpecification) => projects.indexOf(project.name);

function rank({ moduleId }: TestSpecification): number {
  const index = longest.findIndex((file) => moduleId.endsWith(file));
  return index < 0 ? longest.length : index;
}
