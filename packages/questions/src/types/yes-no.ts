import { Type } from "typebox";
import { booleanCounts, booleanTally, checkBoolean } from "../boolean-answers.ts";
import { affectsResults } from "../change-class.ts";
import { booleanConditions } from "../conditions/targets.ts";
import { booleanCell, booleanCellFormat, oneColumn } from "../export-cells.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";

const label = { minLength: 1, maxLength: 100 };

const settings = settingsObject({
  labels: settingsObject({
    yes: Type.String({ ...label, default: "Yes" }),
    no: Type.String({ ...label, default: "No" }),
  }),
});
const settingsOf = settingsReader(settings);

export const yesNo: QuestionType<typeof settings> = {
  number: 7,
  typeName: "yes_no",
  summary: "Yes or no.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.Boolean(),
  distributionShape: "booleans",
  conditions: booleanConditions,

  settingEffects: () => ({ labels: affectsResults }),
  textSettings: () => ["labels.yes", "labels.no"],

  checkValue: (_question, value) => checkBoolean(value),
  sample: (_question, random) => random() < 0.65,
  isEmpty: isNull,
  pipedText(question, value) {
    const { yes, no } = settingsOf(question).labels;
    return value === true ? yes : value === false ? no : "";
  },
  tally: (_question, value) => booleanTally(value),
  distribution: (_question, stats) => booleanCounts(stats),
  exportColumns(question) {
    const { yes, no } = settingsOf(question).labels;
    return oneColumn(question, booleanCellFormat(yes, no));
  },
  exportCells: booleanCell,
};
