import { violationAt, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { affectsResults } from "../change-class.ts";
import { numberConditions } from "../conditions/targets.ts";
import { oneColumn, orderCellFormat, plainCell } from "../export-cells.ts";
import { scaleDistribution, scaleTally } from "../tally.ts";
import { pipedNumber } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";

const label = { maxLength: 200 };

const settings = settingsObject({
  subject: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: "\\S",
    default: "us",
    description: "text of 1 to 200 characters",
  }),
  leftLabel: Type.String({ ...label, default: "Not at all likely" }),
  rightLabel: Type.String({ ...label, default: "Extremely likely" }),
});
const settingsOf = settingsReader(settings);

export const nps: QuestionType<typeof settings> = {
  number: 9,
  typeName: "nps",
  summary: "Net Promoter Score from 0 to 10; asks the standard sentence about its subject, not its text.",
  answerable: true,
  settings,
  lists: {},
  shorthands: { subject: "subject" },
  valueSchema: Type.Integer({ minimum: 0, maximum: 10 }),
  distributionShape: "nps",
  conditions: numberConditions,

  settingEffects: (before, after) => ({
    // A new subject changes the question's text, which is reported as its own difference.
    subject: standardSentence(before) === standardSentence(after) ? "safe" : null,
    leftLabel: affectsResults,
    rightLabel: affectsResults,
  }),

  fixedText: standardSentence,
  textSettings: () => ["leftLabel", "rightLabel"],

  checkValue(_question, value) {
    const fits = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10;
    return fits ? noViolations : violationAt("", "must be a whole number from 0 to 10");
  },

  sample: (_question, random) => Math.floor(Math.max(random(), random()) * 11),
  isEmpty: isNull,
  pipedText: pipedNumber,
  tally: (_question, value) => scaleTally(value),
  distribution: (_question, stats) => {
    const scale = scaleDistribution(stats, 0, 10);
    const count = (from: number, to: number) => {
      let sum = 0;
      for (let score = from; score <= to; score++) sum += scale.counts[score] ?? 0;
      return sum;
    };
    const [detractors, passives, promoters] = [count(0, 6), count(7, 8), count(9, 10)];
    const total = detractors + passives + promoters;
    const score = total > 0 ? ((promoters - detractors) / total) * 100 : null;
    return { ...scale, score, promoters, passives, detractors };
  },
  exportColumns(question) {
    const { leftLabel, rightLabel } = settingsOf(question);
    return oneColumn(
      question,
      orderCellFormat([
        [0, leftLabel],
        [10, rightLabel],
      ]),
    );
  },
  exportCells: (_question, value) => [plainCell(value)],
};

function standardSentence({ subject }: { subject: string }): string {
  return `How likely are you to recommend ${subject.trim()} to a friend or colleague?`;
}
