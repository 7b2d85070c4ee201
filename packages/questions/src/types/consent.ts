import { violationAt } from "@canvass/inputs";
import { Type } from "typebox";
import { booleanCounts, booleanTally, checkBoolean } from "../boolean-answers.ts";
import { affectsResults, switchedRule } from "../change-class.ts";
import { booleanConditions } from "../conditions/targets.ts";
import { booleanCell, booleanCellFormat, oneColumn } from "../export-cells.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";

const settings = settingsObject({
  // Label of the checkbox, below the question's text.
  text: Type.String({ minLength: 1, maxLength: 10_000, default: "I agree." }),
  mustAccept: Type.Boolean({ default: false }),
});
const settingsOf = settingsReader(settings);

const labels = ["Accepted", "Not accepted"] as const;

export const consent: QuestionType<typeof settings> = {
  number: 17,
  typeName: "consent",
  summary: "Agreement to a text; with mustAccept only true is accepted.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.Boolean(),
  distributionShape: "booleans",
  conditions: booleanConditions,

  settingEffects: (before, after) => ({
    text: affectsResults,
    mustAccept: switchedRule(before.mustAccept, after.mustAccept),
  }),

  textSettings: () => ["text"],

  checkValue(question, value) {
    if (value === false && settingsOf(question).mustAccept) return violationAt("", "must be accepted");
    return checkBoolean(value);
  },
  sample: (question, random) => settingsOf(question).mustAccept || random() < 0.9,
  isEmpty: isNull,
  tally: (_question, value) => booleanTally(value),
  distribution: (_question, stats) => booleanCounts(stats),
  exportColumns: (question) => oneColumn(question, booleanCellFormat(...labels)),
  exportCells: booleanCell,
};
