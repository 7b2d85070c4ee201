import { violationAt, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { lowerLimit, upperLimit } from "../change-class.ts";
import { textConditions } from "../conditions/targets.ts";
import { oneText, plainCell } from "../export-cells.ts";
import { pipedString } from "../piping/piped-answers.ts";
import { checkText, isEmptyText } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { emptyTally } from "../tally.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";
import { sampleRemark } from "../samples/words.ts";

const longest = 50_000;

const settings = settingsObject({
  minLength: Type.Integer({ minimum: 0, maximum: longest, default: 0 }),
  maxLength: Type.Integer({ minimum: 1, maximum: longest, default: 10_000 }),
});
const settingsOf = settingsReader(settings);

export const longText: QuestionType<typeof settings> = {
  number: 2,
  typeName: "long_text",
  summary: "Text of several lines.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.String({ maxLength: longest }),
  distributionShape: "none",
  conditions: textConditions,

  settingEffects: (before, after) => ({
    minLength: lowerLimit(before.minLength, after.minLength),
    maxLength: upperLimit(before.maxLength, after.maxLength),
  }),

  checkSettings({ minLength, maxLength }) {
    return minLength > maxLength ? violationAt("minLength", "must not be greater than maxLength") : noViolations;
  },

  checkValue(question, value) {
    const { minLength, maxLength } = settingsOf(question);
    return checkText(value, minLength, maxLength);
  },

  sample(question, random) {
    const { minLength, maxLength } = settingsOf(question);
    return sampleRemark(minLength, maxLength, random);
  },
  isEmpty: isEmptyText,
  pipedText: pipedString,
  tally: () => emptyTally,
  distribution: () => ({}),
  exportColumns: oneText,
  exportCells: (_question, value) => [plainCell(value)],
};
