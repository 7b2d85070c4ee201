import { expect, test } from "vitest";
import { distributionOf, surprises, sampleQuestion } from "../../test/sample-question.ts";
import { consent } from "./consent.ts";
import { yesNo } from "./yes-no.ts";

const notBoolean = ["true", 1, 0, null, [], {}].map((value) => [value, "", "true or false"] as const);

test("yes_no takes true and false", () => {
  expect(surprises(sampleQuestion("yes_no"), { good: [true, false], bad: notBoolean })).toEqual([]);
  expect(distributionOf(sampleQuestion("yes_no"), [true, true, false])).toEqual({ counts: { true: 2, false: 1 } });
});

test("yes_no exports true and false, whatever its labels", () => {
  const question = sampleQuestion("yes_no", { typeSettings: { labels: { yes: "Ja" } } });
  expect(yesNo.exportCells(question, true)).toEqual(["true"]);
  expect(yesNo.exportCells(question, false)).toEqual(["false"]);
  expect(yesNo.exportCells(question, "x")).toEqual([null]);
});

test("consent that must be accepted takes only true", () => {
  expect(surprises(sampleQuestion("consent"), { good: [true, false], bad: notBoolean })).toEqual([]);
  const strict = sampleQuestion("consent", { typeSettings: { mustAccept: true } });
  expect(surprises(strict, { good: [true], bad: [[false, "", "must be accepted"], ...notBoolean] })).toEqual([]);
  expect(consent.exportCells(strict, true)).toEqual(["true"]);
});
