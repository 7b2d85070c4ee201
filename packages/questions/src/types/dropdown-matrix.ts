import { type Violation, violationAt, joinPath, noViolations } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { Type } from "typebox";
import { valuesByEntrySchema, entryIdSchema } from "../answers/entry-schemas.ts";
import { switchedRule } from "../change-class.ts";
import { choiceViolation, columnsById, inOrder } from "../choice-list.ts";
import { optionConditions } from "../conditions/targets.ts";
import type { Column, Question } from "../definition.ts";
import { entryCellFormat, nameOf, partColumn } from "../export-cells.ts";
import { checkRowIds, missingRows } from "../matrix-rows.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { perQuestion, settingsObject, settingsReader } from "../type-settings.ts";
import { withoutRetired } from "../choice-list.ts";
import { favourite } from "../samples/favourites.ts";
import { sampleRows } from "../samples/sample-rows.ts";

type Cells = Record<string, Record<string, string>>;

const settings = settingsObject({
  eachRowRequired: Type.Boolean({ default: false }),
  shuffleRows: Type.Boolean({ default: false }),
  shuffleColumns: Type.Boolean({ default: false }),
});
const settingsOf = settingsReader(settings);
const none = "";
const noneLabel = "(None)";

const optionsOf = perQuestion(
  (question) =>
    new Map((question.columns ?? []).map(({ id, options }) => [id, new Map((options ?? []).map((o) => [o.id, o]))])),
);

export const dropdownMatrix: QuestionType<typeof settings> = {
  number: 13,
  typeName: "dropdown_matrix",
  summary: 'A dropdown per statement and column; "" is the choice (None).',
  answerable: true,
  settings,
  lists: {
    rows: { max: 50, marks: ["pinned"], showIf: true },
    columns: { max: 10, marks: ["pinned"], options: { max: 50 } },
  },
  cells: ({ rows = [], columns = [] }) =>
    rows.length * columns.reduce((sum, { options = [] }) => sum + options.length, 0),
  shorthands: {},
  valueSchema: Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
    description: "option ids by statement id and column id",
  }),
  answerSchema({ rows, columns = [] }) {
    const cells = columns.map(({ id, text, options = [] }) => {
      const option = entryIdSchema([...options, { id: none, text: noneLabel }]);
      return [id, Type.Optional(Type.Unsafe<string>({ ...option, title: text }))];
    });
    return valuesByEntrySchema(
      rows,
      Type.Object(Object.fromEntries(cells), { additionalProperties: false, minProperties: 1 }),
    );
  },
  distributionShape: "dropdownMatrix",
  conditions: optionConditions,

  settingEffects: (before, after) => ({
    eachRowRequired: switchedRule(before.eachRowRequired, after.eachRowRequired),
    shuffleRows: "safe",
    shuffleColumns: "safe",
  }),

  checkValue(question, value, context) {
    if (!isJsonObject(value)) return violationAt("", "must be an object of statement ids");
    const violations: Violation[] = [];
    checkRowIds(question, value, context, violations, (cell, path) =>
      checkRow(question, cell, path, context?.allowRetired, violations),
    );
    if (settingsOf(question).eachRowRequired) violations.push(...missingRows(question, value, context));
    return violations.length > 0 ? violations : noViolations;
  },

  sample(question, random) {
    const columns = withoutRetired(question.columns).map(({ id, options }) => [id, withoutRetired(options)] as const);
    if (columns.length === 0) return undefined;
    return sampleRows(question, settingsOf(question).eachRowRequired, random, () =>
      Object.fromEntries(
        columns.map(([id, options]) => [id, random() < 0.05 ? none : (favourite(options, random)?.id ?? none)]),
      ),
    );
  },
  isEmpty: isNull,
  valueLabels: (question, value) =>
    mapCells(value as Cells, (columnId, optionId) => optionLabel(question, columnId, optionId) ?? optionId),

  tally(_question, value) {
    const buckets: Record<string, number> = {};
    for (const [rowId, row] of Object.entries(value as Cells)) {
      for (const [columnId, optionId] of Object.entries(row)) buckets[`${rowId}:${columnId}:${optionId}`] = 1;
    }
    return { buckets };
  },

  distribution: (question, { buckets }) => ({ rows: countOptions(question, buckets) }),

  exportColumns: (question) =>
    cellsOf(question).map(({ row, column }) =>
      partColumn(question, [nameOf(row), nameOf(column)], optionCellFormat(column)),
    ),

  exportCells(question, value) {
    const cells = isJsonObject(value) ? value : {};
    return cellsOf(question).map(({ row, column }) => {
      const options = ownValue(cells, row.id);
      const optionId = isJsonObject(options) ? ownValue(options, column.id) : null;
      return typeof optionId === "string" ? optionId : null;
    });
  },
};

function checkRow(
  question: Question,
  cells: unknown,
  path: string,
  allowRetired: boolean | undefined,
  violations: Violation[],
) {
  if (!isJsonObject(cells) || Object.keys(cells).length === 0) {
    violations.push({ path, message: "must be an object of at least one column id" });
    return;
  }
  for (const columnId of Object.keys(cells).slice(0, 100)) {
    const cellPath = joinPath(path, columnId);
    const unknownColumn = choiceViolation(columnsById(question), columnId, "a column", allowRetired);
    const options = optionsOf(question).get(columnId) ?? new Map();
    const violation =
      unknownColumn ??
      (cells[columnId] === none ? null : choiceViolation(options, cells[columnId], "an option", allowRetired));
    if (violation) violations.push({ path: cellPath, message: violation });
  }
}

function optionLabel(question: Question, columnId: string, optionId: string): string | undefined {
  return optionId === none ? noneLabel : optionsOf(question).get(columnId)?.get(optionId)?.text;
}

function mapCells(value: Cells, label: (columnId: string, optionId: string) => string): Cells {
  const rows = Object.entries(value).map(([rowId, row]) => {
    const cells = Object.entries(row).map(([columnId, optionId]) => [columnId, label(columnId, optionId)]);
    return [rowId, Object.fromEntries(cells)];
  });
  return Object.fromEntries(rows);
}

/** Returns counts by row, column and option in the question's order, without zeros. The id "" stands for (None). */
function countOptions(question: Question, buckets: ReadonlyMap<string, number>) {
  const counts = nestedCounts(buckets);
  const rows = inOrder(counts, question.rows).map(([rowId, row]) => {
    const cells = inOrder(row, question.columns).map(([columnId, cell]) => {
      const options = question.columns?.find(({ id }) => id === columnId)?.options;
      return [columnId, Object.fromEntries(inOrder(cell, options))];
    });
    return [rowId, Object.fromEntries(cells)];
  });
  return Object.fromEntries(rows);
}

type Counts<Value> = Map<string, Value>;

function nestedCounts(buckets: ReadonlyMap<string, number>): Counts<Counts<Counts<number>>> {
  const rows: Counts<Counts<Counts<number>>> = new Map();
  for (const [bucket, count] of buckets) {
    if (count === 0) continue;
    const [rowId = "", columnId = "", optionId = ""] = bucket.split(":");
    const row = rows.get(rowId) ?? new Map<string, Counts<number>>();
    const cell = row.get(columnId) ?? new Map<string, number>();
    rows.set(rowId, row.set(columnId, cell.set(optionId, (cell.get(optionId) ?? 0) + count)));
  }
  return rows;
}

function cellsOf(question: Question) {
  return (question.rows ?? []).flatMap((row) => (question.columns ?? []).map((column) => ({ row, column })));
}

const optionCellFormat = ({ options = [] }: Column) => entryCellFormat([...options, { id: none, text: noneLabel }]);
