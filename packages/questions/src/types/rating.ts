import { violationAt, joinPath, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { affectsResults } from "../change-class.ts";
import { numberConditions } from "../conditions/targets.ts";
import { oneColumn, orderCellFormat, plainCell } from "../export-cells.ts";
import { scaleDistribution, scaleTally } from "../tally.ts";
import { pipedNumber } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";
import { skewedRandom } from "../samples/random.ts";

export const ratingStyles = ["star", "number", "smiley", "heart"] as const;

const settings = settingsObject({
  steps: Type.Integer({ minimum: 2, maximum: 10, default: 5 }),
  style: Type.Enum(ratingStyles, { default: "star" }),
  // Labels by position on the scale, counted from 1.
  labels: Type.Record(Type.String({ pattern: "^([1-9]|10)$" }), Type.String({ maxLength: 200 }), { default: {} }),
});
const settingsOf = settingsReader(settings);

export const rating: QuestionType<typeof settings> = {
  number: 8,
  typeName: "rating",
  summary: "A rating from 1 to the number of steps.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.Integer({ minimum: 1, maximum: 10 }),
  answerSchema: (question) => Type.Integer({ minimum: 1, maximum: settingsOf(question).steps }),
  distributionShape: "scale",
  conditions: numberConditions,

  settingEffects: (before, after) => ({
    steps: after.steps < before.steps ? "breaking" : affectsResults,
    style: "safe",
    labels: affectsResults,
  }),

  textSettings: ({ labels }) => Object.keys(labels).map((position) => `labels.${position}`),

  checkSettings({ steps, labels }) {
    return Object.keys(labels)
      .filter((position) => Number(position) > steps)
      .map((position) => ({ path: joinPath("labels", position), message: `must be a position from 1 to ${steps}` }));
  },

  checkValue(question, value) {
    const { steps } = settingsOf(question);
    const fits = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= steps;
    return fits ? noViolations : violationAt("", `must be a whole number from 1 to ${steps}`);
  },

  sample: (question, random) => 1 + Math.floor(skewedRandom(random) * settingsOf(question).steps),
  isEmpty: isNull,
  pipedText: pipedNumber,
  tally: (_question, value) => scaleTally(value),
  distribution: (question, stats) => scaleDistribution(stats, 1, settingsOf(question).steps),
  exportColumns(question) {
    const labels = Object.entries(settingsOf(question).labels).map(([step, label]) => [Number(step), label] as const);
    return oneColumn(question, orderCellFormat(labels));
  },
  exportCells: (_question, value) => [plainCell(value)],
};
