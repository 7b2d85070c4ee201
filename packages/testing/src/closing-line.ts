import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/**
 * Ends a run with the line that continuous integration reads: `N passed, N failed`. Above it stand the tests that passed
 * only when they were repeated: each is a defect of the test or of the product. So do those for which the machine lacks
 * something.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // Files that cannot be collected and errors outside tests have failed too.
    const broken = errors.length + modules.filter((module) => module.errors().length > 0).length;
    const repeated = tests.filter((test) => test.diagnostic()?.flaky);
    if (repeated.length > 0) process.stdout.write(`\n${repeated.map(unsteady).join("")}`);
    const left = modules.flatMap((module) => [...module.children.allSuites()]).filter((suite) => suite.meta().missing);
    if (left.length > 0) process.stdout.write(`\n${left.map(skipped).join("")}`);
    process.stdout.write(`\n${count("passed")} passed, ${count("failed") + broken} failed\n`);
  }
}

function skipped(suite: TestSuite): string {
  const count = [...suite.children.allTests()].length;
  return `SKIPPED ${suite.module.relativeModuleId} > ${suite.fullName}: ${count} tests, no ${suite.meta().missing}\n`;
}

function unsteady(test: TestCase): string {
  const { message = "", stack = message } = test.result().errors?.[0] ?? {};
  const own = stack.split("\n").filter((line) => !line.includes("node_modules"));
  return `UNSTEADY ${test.module.relativeModuleId} > ${test.fullName}\n  ${own.join("\n  ")}\n`;
}
