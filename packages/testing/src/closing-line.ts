import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from "vitest/node";

/** Most tests that may pass only at their second try. More fail the run. */
const MOST_UNSTEADY = 3;

/**
 * Prints the line that continuous integration reads: `N passed, N failed, N skipped`, and above it the seed of property
 * tests, tests that passed only at their second try, and skipped tests with their reasons (`meta.skipReason`). A
 * skipped test without a reason fails the run.
 */
export default class ClosingLine implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [...module.children.allSuites()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // Files that cannot be collected, failing hooks and errors outside tests are failures, too.
    const brokenParts = [...modules, ...suites].filter((part) => part.errors().length > 0);
    const skipped = this.#isFiltered ? [] : inState("skipped").filter((test) => !brokenParts.some(contains(test)));
    const unsteady = tests.filter((test) => test.diagnostic()?.flaky);
    const unexplained = skipped.filter((test) => reasonOf(test) === undefined).length;
    const tooUnsteady = unsteady.length > MOST_UNSTEADY ? unsteady.length : 0;
    const failures = inState("failed").length + errors.length + brokenParts.length + unexplained + tooUnsteady;
    if (failures > 0) process.exitCode = 1;
    const lines = [
      `Seed of the property tests: ${process.env["CANVASS_PROPERTY_SEED"]}`,
      ...unsteady.map(describeUnsteady),
      ...skipped.map((test) => `SKIPPED ${nameOf(test)}: ${reasonOf(test) ?? "without a reason"}`),
      `${inState("passed").length} passed, ${failures} failed, ${inState("skipped").length} skipped`,
    ];
    process.stdout.write(`\n${lines.join("\n")}\n`);
  }
}

const contains = (test: TestCase) => (part: TestModule | TestSuite) => [...part.children.allTests()].includes(test);

function reasonOf(part: TestCase | TestSuite | TestModule): string | undefined {
  return part.meta().skipReason ?? (part.type === "module" ? undefined : reasonOf(part.parent));
}

const nameOf = (test: TestCase): string => `${test.module.relativeModuleId} > ${test.fullName}`;

function describeUnsteady(test: TestCase): string {
  const { message = "", stack = message, diff = "" } = test.result().errors?.[0] ?? {};
  const own = stack.split("\n").filter((line) => !line.includes("node_modules"));
  const changes = stripVTControlCharacters(diff)
    .split("\n")
    .filter((line) => /^[+-] /.test(line));
  return `UNSTEADY ${nameOf(test)}\n  ${[...own, ...changes.slice(0, 12)].join("\n  ")}`;
}
