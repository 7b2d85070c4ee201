import { expect, test } from "vitest";
import { sampleQuestion, surprises } from "../../test/sample-question.ts";

test.each(["(a+)+$", "(a|a)+$", "(a|b)*a(a|b){12}c", "(.*)*x$"])(
  "the pattern %s is fast on hostile text",
  (pattern) => {
    const question = sampleQuestion("short_text", { typeSettings: { pattern, maxLength: 4_000 } });
    const value = `${"ab".repeat(1_900)}!`;
    const before = process.threadCpuUsage();
    for (let round = 0; round < 5; round++)
      expect(surprises(question, { good: [], bad: [[value, "", "must match"]] })).toEqual([]);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000);
  },
);
