import { violationAt, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { lowerLimit, upperLimit } from "../change-class.ts";
import { numberConditions } from "../conditions/targets.ts";
import { oneAmount, plainCell } from "../export-cells.ts";
import {
  checkNumber,
  fitsDecimals,
  largestNumber,
  mostDecimals,
  numericDistribution,
  numericTally,
  tooManyDecimals,
} from "../numeric.ts";
import { pipedNumber } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { nullable, settingsObject, settingsReader } from "../type-settings.ts";
import { accepts } from "../samples/accepts.ts";
import { skewedRandom } from "../samples/random.ts";

const limit = Type.Number({ minimum: -largestNumber, maximum: largestNumber });

const settings = settingsObject({
  min: nullable(limit),
  max: nullable(limit),
  decimals: nullable(Type.Integer({ minimum: 0, maximum: mostDecimals })),
});
const settingsOf = settingsReader(settings);

export const number: QuestionType<typeof settings> = {
  number: 3,
  typeName: "number",
  summary: "A number, optionally within limits and with a limited number of decimals.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: limit,
  distributionShape: "numbers",
  conditions: numberConditions,

  settingEffects: (before, after) => ({
    min: lowerLimit(before.min, after.min),
    max: upperLimit(before.max, after.max),
    decimals: upperLimit(before.decimals, after.decimals),
  }),

  checkSettings({ min, max }) {
    return min !== null && max !== null && min > max
      ? violationAt("min", "must not be greater than max")
      : noViolations;
  },

  checkValue(question, value) {
    const { min, max, decimals } = settingsOf(question);
    const violations = checkNumber(value, min, max);
    if (!Number.isFinite(value) || decimals === null || fitsDecimals(value as number, decimals)) return violations;
    const message = decimals === 0 ? "must be a whole number" : tooManyDecimals(decimals);
    return [...violations, { path: "", message }];
  },

  sample(question, random) {
    const { min, max, decimals } = settingsOf(question);
    const least = min ?? Math.min(0, (max ?? 100) - 100);
    const value = least + skewedRandom(random) * ((max ?? Math.max(100, least + 100)) - least);
    // `+ 0` makes 0 of -0, which JSON does not keep.
    const rounded = [0, 1, 2, decimals ?? mostDecimals].map((places) => Number(value.toFixed(places)) + 0);
    return [...rounded, value, min, max, 0].find(accepts(number, question));
  },
  isEmpty: isNull,
  pipedText: pipedNumber,
  hasHistogram: true,
  tally: (_question, value) => numericTally(value),
  distribution: (_question, stats) => numericDistribution(stats),
  exportColumns: oneAmount,
  exportCells: (_question, value) => [plainCell(value)],
};
