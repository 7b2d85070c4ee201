import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";

/**
 * Ends a run with the line that continuous integration reads: `N passed, N failed`. Above it stand the tests that passed
 * only when they were repeated: each is a defect of the test or of the product. So do those for which the machine lacks
 * something.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const suites = modules.flatMap((module) => [...module.children.allSuites()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // Files that cannot be collected, hooks that fail and errors outside tests have failed too.
    const broken = errors.length + [...modules, ...suites].filter((part) => part.errors().length > 0).length;
    const repeated = tests.filter((test) => test.diagnostic()?.flaky);
    if (repeated.length > 0) process.stdout.write(`\n${repeated.map(unsteady).join("")}`);
    const left = [...suites, ...tests].filter((part) => part.meta().missing);
    if (left.length > 0) process.stdout.write(`\n${left.map(skipped).join("")}`);
    process.stdout.write(`\n${count("passed")} passed, ${count("failed") + broken} failed\n`);
  }
}

function skipped(part: TestSuite | TestCase): string {
  const count = part.type === "test" ? 1 : [...part.children.allTests()].length;
  return `SKIPPED ${part.module.relativeModuleId} > ${part.fullName}: ${count} tests, no ${part.meta().missing}\n`;
}

function unsteady(test: TestCase): string {
  const { message = "", stack = message } = test.result().errors?.[0] ?? {};
  const own = stack.split("\n").filter((line) => !line.includes("node_modules"));
  return `UNSTEADY ${test.module.relativeModuleId} > ${test.fullName}\n  ${own.join("\n  ")}\n`;
}
