import { violationAt, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { entryIdSchema } from "../answers/entry-schemas.ts";
import { choiceViolation, choicesById, countsByChoice } from "../choice-list.ts";
import { choiceConditions } from "../conditions/targets.ts";
import { entryCellFormat, oneColumn } from "../export-cells.ts";
import { pipedChoices } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { oneBucket } from "../tally.ts";
import { settingsObject } from "../type-settings.ts";
import { favourite, popularChoices } from "../samples/favourites.ts";

const settings = settingsObject({ shuffle: Type.Boolean({ default: false }) });

export const dropdown: QuestionType<typeof settings> = {
  number: 5,
  typeName: "dropdown",
  summary: "One choice from a dropdown list.",
  answerable: true,
  settings,
  lists: { choices: { max: 1_000, marks: ["pinned"], showIf: true } },
  shorthands: {},
  valueSchema: Type.String({ description: "the id of a choice" }),
  answerSchema: ({ choices }) => entryIdSchema(choices),
  distributionShape: "choices",
  conditions: choiceConditions,
  canBeCarried: true,

  settingEffects: () => ({ shuffle: "safe" }),

  checkValue(question, value, context) {
    const violation = choiceViolation(choicesById(question), value, "a choice", context?.allowRetired);
    return violation === null ? noViolations : violationAt("", violation);
  },

  sample: (question, random) => favourite(popularChoices(question), random),
  isEmpty: isNull,
  pipedText: pipedChoices,
  tally: (_question, value) => oneBucket(value as string),
  distribution: (question, stats) => ({ counts: countsByChoice(question.choices, stats.buckets) }),
  exportColumns: (question) => oneColumn(question, entryCellFormat(question.choices ?? [])),
  exportCells: (_question, value) => [typeof value === "string" ? value : null],
};
