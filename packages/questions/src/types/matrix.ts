import { type Violation, violationAt, joinPath, noViolations } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { Type } from "typebox";
import { valuesByEntrySchema, entryIdSchema } from "../answers/entry-schemas.ts";
import { severalAnswers, switchedRule } from "../change-class.ts";
import { choiceViolation, columnsById, countsByCell, rowsById } from "../choice-list.ts";
import { columnConditions } from "../conditions/targets.ts";
import type { Question } from "../definition.ts";
import { chosenColumns, chosenMarks, entryCellFormat, nameOf, partColumn } from "../export-cells.ts";
import { checkRowIds, missingRows } from "../matrix-rows.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionCell, QuestionType } from "../question-type.ts";
import { settingsObject, settingsReader } from "../type-settings.ts";
import { withoutRetired } from "../choice-list.ts";
import { favourites, fewOf } from "../samples/favourites.ts";
import { skewedRandom } from "../samples/random.ts";
import { sampleRows } from "../samples/sample-rows.ts";

const settings = settingsObject({
  multiple: Type.Boolean({ default: false }),
  eachRowRequired: Type.Boolean({ default: false }),
  shuffleRows: Type.Boolean({ default: false }),
  shuffleColumns: Type.Boolean({ default: false }),
});
const settingsOf = settingsReader(settings);
const mostColumns = 50;

export const matrix: QuestionType<typeof settings> = {
  number: 12,
  typeName: "matrix",
  summary: "One column per statement, or several with multiple; statements may be left out unless eachRowRequired.",
  answerable: true,
  settings,
  lists: { rows: { max: 100, marks: ["pinned"], showIf: true }, columns: { max: mostColumns, marks: ["pinned"] } },
  cells: ({ rows = [], columns = [] }) => rows.length * columns.length,
  shorthands: { multipleAnswers: "multiple" },
  valueSchema: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]), {
    description: "column ids by statement id; lists of them if several may be chosen",
  }),
  answerSchema(question) {
    const column = entryIdSchema(question.columns);
    return valuesByEntrySchema(
      question.rows,
      settingsOf(question).multiple ? Type.Array(column, { minItems: 1 }) : column,
    );
  },
  distributionShape: "matrix",
  conditions: columnConditions,

  settingEffects: (before, after) => ({
    multiple: severalAnswers(before.multiple, after.multiple),
    eachRowRequired: switchedRule(before.eachRowRequired, after.eachRowRequired),
    shuffleRows: "safe",
    shuffleColumns: "safe",
  }),

  mergeSettings: (older, newer) => ({ ...newer, multiple: older.multiple || newer.multiple }),

  checkValue(question, value, context) {
    if (!isJsonObject(value)) return violationAt("", "must be an object of statement ids");
    const { multiple, eachRowRequired } = settingsOf(question);
    const violations: Violation[] = [];
    const check = multiple ? checkSeveral : checkOne;
    checkRowIds(question, value, context, violations, (cell, path) =>
      check(question, cell, path, context?.allowRetired, violations),
    );
    if (eachRowRequired) violations.push(...missingRows(question, value, context));
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const { multiple, eachRowRequired } = settingsOf(question);
    const ids = withoutRetired(question.columns).map(({ id }) => id);
    if (ids.length === 0) return undefined;
    return sampleRows(question, eachRowRequired, random, () =>
      multiple
        ? favourites(ids, fewOf(1, ids.length, random), random)
        : ids[Math.floor(skewedRandom(random) * ids.length)],
    );
  },
  isEmpty: isNull,

  tally(_question, value) {
    const buckets: Record<string, number> = {};
    for (const [rowId, cell] of Object.entries(value as Record<string, string | string[]>)) {
      for (const columnId of Array.isArray(cell) ? cell : [cell]) buckets[`${rowId}:${columnId}`] = 1;
    }
    return { buckets };
  },

  distribution: (question, { buckets }) => ({ rows: countsByCell(question.rows, question.columns, buckets) }),

  exportColumns(question) {
    const { rows = [], columns = [] } = question;
    if (settingsOf(question).multiple) return rows.flatMap((row) => chosenColumns(question, [nameOf(row)], columns));
    const format = entryCellFormat(columns);
    return rows.map((row) => partColumn(question, [nameOf(row)], format));
  },

  exportCells(question, value) {
    const cells = isJsonObject(value) ? value : {};
    const columns = columnsById(question);
    return [...rowsById(question).keys()].flatMap((rowId): QuestionCell[] => {
      const ids = chosenIn(ownValue(cells, rowId));
      if (settingsOf(question).multiple) return chosenMarks(columns.keys(), ids.length > 0 ? new Set(ids) : null);
      return [ids[0] ?? null];
    });
  },
};

type CellCheck = (
  question: Question,
  cell: unknown,
  path: string,
  allowRetired: boolean | undefined,
  violations: Violation[],
) => void;

const checkOne: CellCheck = (question, cell, path, allowRetired, violations) => {
  const violation = choiceViolation(columnsById(question), cell, "a column", allowRetired);
  if (violation) violations.push({ path, message: violation });
};

const checkSeveral: CellCheck = (question, cell, path, allowRetired, violations) => {
  if (!Array.isArray(cell) || cell.length === 0 || cell.length > mostColumns * 2) {
    violations.push({ path, message: "must be a list of at least one column" });
    return;
  }
  cell.forEach((columnId, index) => {
    checkOne(question, columnId, joinPath(path, index), allowRetired, violations);
    if (cell.indexOf(columnId) < index) violations.push({ path: joinPath(path, index), message: "is chosen twice" });
  });
};

const chosenIn = (cell: unknown): string[] =>
  (Array.isArray(cell) ? cell : [cell]).filter((id: unknown) => typeof id === "string");
