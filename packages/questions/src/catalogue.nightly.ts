import { expect, test } from "vitest";
import { hugeValues } from "../test/huge-values.ts";
import { sampleQuestion } from "../test/sample-question.ts";
import { answerables } from "../test/value-arbitraries.ts";
import { questionTypeOf, typeNames } from "./catalogue.ts";

test("huge hostile values are refused, all of them within three seconds of CPU time", () => {
  const samples = typeNames.map((name) => answerables[name]?.question ?? sampleQuestion(name));
  const before = process.threadCpuUsage();
  for (const question of samples) {
    for (const value of hugeValues) {
      expect(questionTypeOf(question).checkValue(question, value).length).toBeGreaterThan(0);
    }
  }
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(3_000);
});
