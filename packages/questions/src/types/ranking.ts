import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { Type } from "typebox";
import { entryIdSchema } from "../answers/entry-schemas.ts";
import { affectsResults } from "../change-class.ts";
import { choiceViolation, choicesById, countsByCell, withoutRetired } from "../choice-list.ts";
import { nameOf, orderCellFormat, partColumn } from "../export-cells.ts";
import { pipedChoices } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";
import { favourites, fewOf, popularChoices } from "../samples/favourites.ts";

const settings = settingsObject({
  shuffle: Type.Boolean({ default: false }),
  rankAll: Type.Boolean({ default: true }),
});
const settingsOf = settingsReader(settings);
const mostChoices = 50;

export const ranking: QuestionType<typeof settings> = {
  number: 14,
  typeName: "ranking",
  summary: "Choices in order, best first; all of them unless rankAll is false.",
  answerable: true,
  settings,
  lists: { choices: { max: mostChoices, marks: ["pinned"], showIf: true } },
  shorthands: {},
  valueSchema: Type.Array(Type.String(), { minItems: 1, description: "ids of choices" }),
  answerSchema: ({ choices }) => Type.Array(entryIdSchema(choices), { minItems: 1 }),
  distributionShape: "ranks",
  conditions: {},
  canBeCarried: true,

  settingEffects: () => ({ shuffle: "safe", rankAll: affectsResults }),

  checkValue(question, value, context) {
    if (!Array.isArray(value)) return violationAt("", "must be a list of choices in order");
    if (value.length === 0) return violationAt("", "must name at least one choice; null takes an answer back");
    if (value.length > mostChoices * 2) return violationAt("", "names more choices than there are");
    const violations: Violation[] = [];
    value.forEach((id, index) => {
      const violation = choiceViolation(choicesById(question), id, "a choice", context?.allowRetired);
      if (violation) violations.push({ path: String(index), message: violation });
      else if (value.indexOf(id) < index) violations.push({ path: String(index), message: "is ranked twice" });
    });
    const shown = withoutRetired(question.choices).filter(({ id }) => !context?.hidden?.has(id));
    if (settingsOf(question).rankAll && !shown.every(({ id }) => value.includes(id))) {
      violations.push({ path: "", message: "must rank every choice" });
    }
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const popular = popularChoices(question);
    const count = settingsOf(question).rankAll ? popular.length : fewOf(1, popular.length, random);
    return popular.length > 0 ? favourites(popular, count, random) : undefined;
  },
  isEmpty: isNull,
  pipedText: pipedChoices,

  tally(_question, value) {
    const buckets: Record<string, number> = {};
    for (const [index, id] of (value as string[]).entries()) buckets[`${id}:${index + 1}`] = 1;
    return { buckets };
  },

  distribution(question, { buckets }) {
    const ranks = Object.entries(countsByCell(question.choices, [], buckets));
    const known = withoutRetired(question.choices).map(({ id }) => [id, { mean: null, counts: {} }]);
    const counted = ranks.map(([id, counts]) => [id, { mean: meanPosition(counts), counts }]);
    return { ranks: Object.fromEntries([...known, ...counted]) };
  },

  exportColumns: (question) =>
    (question.choices ?? []).map((choice) => partColumn(question, [nameOf(choice)], orderCellFormat())),

  exportCells(question, value) {
    const order: unknown[] = Array.isArray(value) ? value : [];
    return (question.choices ?? []).map((choice) => {
      const index = order.indexOf(choice.id);
      return index < 0 ? null : index + 1;
    });
  },
};

function meanPosition(counts: Record<string, number>): number | null {
  let [total, weighted] = [0, 0];
  for (const [position, count] of Object.entries(counts)) {
    total += count;
    weighted += Number(position) * count;
  }
  return total > 0 ? weighted / total : null;
}
