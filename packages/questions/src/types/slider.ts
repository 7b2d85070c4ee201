import type { Violation } from "@canvass/inputs";
import { Type } from "typebox";
import { affectsResults } from "../change-class.ts";
import { numberConditions } from "../conditions/targets.ts";
import { oneAmount, plainCell } from "../export-cells.ts";
import { checkNumber, largestNumber, mostDecimals, numericDistribution, numericTally } from "../numeric.ts";
import { pipedNumber } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";
import { accepts } from "../samples/accepts.ts";
import { skewedRandom } from "../samples/random.ts";

const end = { minimum: -largestNumber, maximum: largestNumber };

const settings = settingsObject({
  min: Type.Number({ ...end, default: 0 }),
  max: Type.Number({ ...end, default: 100 }),
  step: Type.Number({ minimum: 1e-9, maximum: largestNumber, default: 1 }),
});
const settingsOf = settingsReader(settings);

export const slider: QuestionType<typeof settings> = {
  number: 10,
  typeName: "slider",
  summary: "A number on a scale from min to max, in steps from min.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.Number(end),
  distributionShape: "numbers",
  conditions: numberConditions,

  settingEffects: () => ({ min: affectsResults, max: affectsResults, step: affectsResults }),

  checkSettings({ min, max, step }) {
    const violations: Violation[] = [];
    if (min >= max) violations.push({ path: "min", message: "must be less than max" });
    else if (step > max - min) violations.push({ path: "step", message: "must not be greater than the range" });
    return violations;
  },

  checkValue(question, value) {
    const { min, max, step } = settingsOf(question);
    const violations = checkNumber(value, min, max);
    if (!Number.isFinite(value) || isStep((value as number) - min, step) || value === max) return violations;
    return [...violations, { path: "", message: `must be ${min} plus a multiple of ${step}` }];
  },

  sample(question, random) {
    const { min, max, step } = settingsOf(question);
    const value = min + Math.floor(skewedRandom(random) * (Math.floor((max - min) / step) + 1)) * step;
    // Prefers 0.3 to 0.30000000000000004 if 0.3 is a step.
    return [Number(value.toFixed(mostDecimals)), value].find(accepts(slider, question)) ?? min;
  },
  isEmpty: isNull,
  pipedText: pipedNumber,
  hasHistogram: true,
  tally: (_question, value) => numericTally(value),
  distribution: (_question, stats) => numericDistribution(stats),
  exportColumns: oneAmount,
  exportCells: (_question, value) => [plainCell(value)],
};

/** True if the distance is a whole number of steps in double precision (0.3 is three steps of 0.1). */
function isStep(distance: number, step: number): boolean {
  const steps = distance / step;
  return Math.abs(steps - Math.round(steps)) <= 1e-9 * Math.max(1, Math.abs(steps));
}
