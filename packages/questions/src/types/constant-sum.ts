import { type Violation, violationAt, joinPath, noViolations } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { Type } from "typebox";
import { valuesByEntrySchema } from "../answers/entry-schemas.ts";
import { affectsResults } from "../change-class.ts";
import { choiceViolation, choicesById, countsByChoice } from "../choice-list.ts";
import { amountCellFormat, nameOf, partColumn, plainCell } from "../export-cells.ts";
import { fitsDecimals, tooManyDecimals } from "../numeric.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { nullable, settingsObject, settingsReader } from "../type-settings.ts";
import { favourite, popularChoices } from "../samples/favourites.ts";

const largestTotal = 1_000_000;
const mostChoices = 100;
const decimals = 2;
const hundred = 10 ** decimals;

const amount = Type.Number({ minimum: 0, maximum: largestTotal });

const settings = settingsObject({
  // Null: any sum is valid.
  total: nullable(Type.Number({ minimum: 0.01, maximum: largestTotal }), 100),
  shuffle: Type.Boolean({ default: false }),
});
const settingsOf = settingsReader(settings);

export const constantSum: QuestionType<typeof settings> = {
  number: 15,
  typeName: "constant_sum",
  summary: "Amounts (at most two decimals) spread over choices, adding up to total; a choice left out counts as 0.",
  answerable: true,
  settings,
  lists: { choices: { max: mostChoices, marks: ["pinned"], showIf: true } },
  shorthands: {},
  valueSchema: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: largestTotal }), {
    description: "amounts by choice id",
  }),
  answerSchema: ({ choices }) => valuesByEntrySchema(choices, amount),
  distributionShape: "sums",
  conditions: {},
  countsAmounts: true,

  settingEffects: () => ({ total: affectsResults, shuffle: "safe" }),

  checkSettings: ({ total }) =>
    total === null || fitsDecimals(total, decimals) ? noViolations : violationAt("total", tooManyDecimals(decimals)),

  checkValue(question, value, context) {
    if (!isJsonObject(value)) return violationAt("", "must be an object of choice ids");
    const ids = Object.keys(value);
    if (ids.length === 0) return violationAt("", "must name at least one choice; null takes an answer back");
    if (ids.length > mostChoices * 2) return violationAt("", "names more choices than there are");
    const violations: Violation[] = [];
    for (const id of ids) {
      const violation =
        choiceViolation(choicesById(question), id, "a choice", context?.allowRetired) ?? amountViolation(value[id]);
      if (violation) violations.push({ path: joinPath("", id), message: violation });
    }
    if (violations.length > 0) return violations;
    const { total } = settingsOf(question);
    // Compare hundredths, whose sums are exact: three times 33.1 plus 0.7 is 100.
    const shown = ids.filter((id) => !context?.hidden?.has(id));
    const sum = shown.reduce((sum, id) => sum + hundredths(value[id]), 0);
    return total === null || sum === hundredths(total)
      ? noViolations
      : violationAt("", `must add up to ${total}, not to ${sum / hundred}`);
  },

  sample(question, random) {
    const popular = popularChoices(question);
    if (popular.length === 0) return undefined;
    const given = new Map<string, number>();
    let left = hundredths(settingsOf(question).total ?? 100);
    const portion = Math.max(1, Math.floor(left / 10));
    while (left > 0) {
      const id = favourite(popular, random)!;
      const amount = left < 2 * portion ? left : portion;
      given.set(id, (given.get(id) ?? 0) + amount);
      left -= amount;
    }
    return Object.fromEntries([...given].map(([id, amount]) => [id, amount / hundred]));
  },
  isEmpty: isNull,

  /** Buckets hold hundredths, so sums stay whole. */
  tally(_question, value) {
    const buckets: Record<string, number> = {};
    for (const [id, amount] of Object.entries(value as Record<string, number>)) {
      if (amount !== 0) buckets[id] = hundredths(amount);
    }
    return { buckets };
  },

  distribution(question, { buckets, responseCount }) {
    const totals = Object.entries(countsByChoice(question.choices, buckets));
    const sums = totals.map(([id, sum]) => [id, sum / hundred]);
    const means = totals.map(([id, sum]) => [id, responseCount > 0 ? sum / hundred / responseCount : null]);
    return { sums: Object.fromEntries(sums), means: Object.fromEntries(means) };
  },

  exportColumns: (question) =>
    (question.choices ?? []).map((choice) => partColumn(question, [nameOf(choice)], amountCellFormat)),

  exportCells(question, value) {
    const amounts = isJsonObject(value) ? value : {};
    return (question.choices ?? []).map((choice) => plainCell(ownValue(amounts, choice.id)));
  },
};

function amountViolation(amount: unknown): string | null {
  if (typeof amount !== "number" || !(amount >= 0 && amount <= largestTotal)) {
    return `must be a number from 0 to ${largestTotal}`;
  }
  return fitsDecimals(amount, decimals) ? null : tooManyDecimals(decimals);
}

function hundredths(amount: unknown): number {
  return Math.round((amount as number) * hundred);
}
