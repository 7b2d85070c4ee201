import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take half a minute or more, the longest first, so that none ends a run alone. */
const longest = [
  "idempotency-kills",
  "any-input",
  "kills",
  "hanging-services",
  "events-survive",
  "outages",
  "tls",
  "identity",
  "largest-survey",
  "million-answers",
  "revocation",
].map((name) => `/packages/e2e/test/${name}.test.ts`);

/** Runs whole-system tests first, the long ones ahead, and the rest as vitest orders them. */
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
