import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take twenty seconds or more, longest first, so that none runs alone at the end of its project. */
const longest = [
  "packages/e2e/test/callers",
  "packages/e2e/test/any-input",
  "packages/events/test/trouble",
  "packages/e2e/test/surveys",
  "packages/e2e/test/tls",
  "services/response/test/collecting",
  "packages/e2e/test/people",
  "gateway/test/docs-pages",
  "packages/e2e/test/outages",
  "packages/e2e/test/kills",
  "gateway/test/streams",
  "packages/e2e/test/fresh-start",
  "services/response/test/exports",
  "packages/respondent-page/test/final-refusals",
  "packages/respondent-page/test/disturbed",
  "packages/e2e/test/webhooks",
  "packages/e2e/test/canvass",
  "packages/respondent-page/test/denied",
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
