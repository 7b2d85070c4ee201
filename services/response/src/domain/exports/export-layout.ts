import { AppError } from "@canvass/errors";
import { contactTextNames } from "@canvass/inputs";
import {
  answerKey,
  questionTypeOf,
  type ExportCell,
  type ExportColumn,
  type ExportLabels,
  type ExportName,
  type Question,
  type QuestionCell,
} from "@canvass/questions";
import { withCodes } from "./code-lists.ts";
import { namedRow, type CollectedRow } from "./collected-row.ts";
import { createColumnNames, type ColumnName } from "./column-names.ts";
import { chosenFields, fieldColumns, type ExportedField } from "./field-columns.ts";
import { contactColumns } from "./contact-columns.ts";
import { distinctNames, exportFields, headingOf, type ExportField } from "./export-fields.ts";
import type { ExportOptions } from "./export-options.ts";
import { createTimeWriter, type TimeForm, type TimeWriter } from "./export-times.ts";
import type { MergedQuestion } from "./merged-questions.ts";
import { orderColumns, pageOrderColumns, type OrderColumn } from "./order-columns.ts";
import type { ShownOrders } from "./shown-orders.ts";
import { respondentColumns } from "./respondent-columns.ts";
import { variableName, withDigest } from "./variable-names.ts";

export type FixedColumn = Omit<ExportColumn, "kind"> & { kind: ExportColumn["kind"] | "object" };
export type LayoutColumn = FixedColumn & ColumnName;
/** `heading` is written as the option `headings` asks, `label` as its value `texts` asks. */
export type HeadedColumn = LayoutColumn & { heading: string; label: string };

export interface CellForm {
  values: "written" | "codes";
  times: TimeForm;
  lists: "joined" | "json";
}

export interface ExportLayout {
  columns: readonly HeadedColumn[];
  fields: readonly ExportField[];
  cellsOf: (collected: CollectedRow) => ExportCell[];
}

/** Data that columns show besides answers. */
interface ShownBesides {
  hidden?: readonly ExportedField[];
  orders?: ShownOrders | undefined;
}

/** Limit of spreadsheets. */
export const mostColumns = 16_384;

/**
 * The layout depends on no answers, so it is the same in every export with these questions, fields and options. Throws
 * `validation_failed` at more than `mostColumns`.
 */
export function createExportLayout(
  questions: readonly MergedQuestion[],
  options: ExportOptions,
  form: CellForm,
  { hidden = [], orders }: ShownBesides = {},
): ExportLayout {
  const wanted = options.elementIds && new Set(options.elementIds);
  const times = createTimeWriter(options.timeZone, form.times);
  const fixed = [
    ...respondentColumns(options, times),
    ...fieldColumns(chosenFields(hidden, options.fields)),
    ...contactColumns(options),
  ];
  const columns: LayoutColumn[] = fixed.map(withName);
  const hiddenNames = fieldColumns(hidden).map(({ id }) => variableName(id));
  const namesOf = createColumnNames(questions, [...fixedNames(times), ...hiddenNames]);
  const slots = new Map<string, Slot>();
  const shown: { column: OrderColumn; index: number }[] = [];
  for (const asked of questions) {
    if (wanted && ![...asked.elementIds].some((elementId) => wanted.has(elementId))) continue;
    const type = questionTypeOf(asked.question);
    const own = withCodes(type.exportColumns(asked.question), asked.codes);
    const nameOf = namesOf(asked);
    for (const item of asked.items) {
      const slot = { question: asked.question, type, offset: columns.length };
      for (const elementId of asked.elementIds) slots.set(answerKey(elementId, item?.id ?? null), slot);
      const placed = own.map((column) => ofItem(column, asked.question, item));
      columns.push(...placed.map((column) => ({ ...column, ...nameOf(column, item) })));
    }
    for (const column of orders ? orderColumns(asked, orders, options.labels) : []) {
      shown.push({ column, index: columns.length });
      columns.push({ ...column, ...nameOf(column, null) });
    }
    if (columns.length > mostColumns) throw tooManyColumns();
  }
  const taken = new Set([...columns.map(({ name }) => name), ...hiddenNames].map((name) => name.toLowerCase()));
  for (const column of orders ? pageOrderColumns(orders, options.labels) : []) {
    shown.push({ column, index: columns.length });
    const named = withName(column);
    // Blocks that differ in case only have one name, and a question may have that of a block's column.
    const name = taken.has(named.name.toLowerCase()) ? withDigest(named.name, column.id) : named.name;
    taken.add(name.toLowerCase());
    columns.push({ ...named, name, group: name });
  }
  if (columns.length > mostColumns) throw tooManyColumns();
  const writers = columns.map((column, index) =>
    cellWriter(column, options.labels, form, index < fixed.length ? null : times),
  );
  return {
    columns: withHeadings(columns, options),
    fields: exportFields(columns, options),
    cellsOf(collected) {
      const row = namedRow(collected);
      const cells: ExportCell[] = Array.from({ length: columns.length }, () => null);
      for (const [index, column] of fixed.entries()) cells[index] = writers[index]!(column.read(row));
      for (const { column, index } of shown) cells[index] = writers[index]!(column.read(row));
      for (const answers of row.answers) {
        for (const key in answers) {
          const slot = slots.get(key);
          if (!slot) continue;
          const own = slot.type.exportCells(slot.question, answers[key]);
          for (const [index, cell] of own.entries()) cells[slot.offset + index] = writers[slot.offset + index]!(cell);
        }
      }
      return cells;
    },
  };
}

const withName = (column: FixedColumn): LayoutColumn => {
  const name = variableName(column.id);
  return { ...column, name, group: name };
};

/** Names of all columns that are not of questions, whether the export has them or not. */
function fixedNames(times: TimeWriter): string[] {
  const all = [
    ...respondentColumns({ includeTest: true }, times),
    ...contactColumns({ contactFields: contactTextNames }),
  ];
  return all.map(({ id }) => variableName(id));
}

interface Slot {
  question: Question;
  type: ReturnType<typeof questionTypeOf>;
  offset: number;
}

function ofItem(column: ExportColumn, { questionId }: Question, item: ExportName | null): ExportColumn {
  if (item === null) return column;
  const own = ({ id, text }: { id: string; text: string }) => ({
    id: `${questionId}:${item.id}${id.slice(questionId.length)}`,
    text: `${text} (${item.label})`,
  });
  const { part } = column;
  return { ...column, ...own(column), ...(part && { part: { ...part, question: own(part.question) } }) };
}

function withHeadings(columns: readonly LayoutColumn[], { labels, headings }: ExportOptions): HeadedColumn[] {
  const texts = distinctNames(
    columns.map(({ id, text }) => ({ id, label: text })),
    labels,
  );
  return columns.map((column, index) => {
    const label = texts[index]!;
    return { ...column, label, heading: headingOf(headings, label, column) };
  });
}

type WriteCell = (cell: QuestionCell) => ExportCell;
const asItIs: WriteCell = (cell) => cell as ExportCell;

/** `times` is null for columns whose times are written already. */
function cellWriter(
  { kind, values }: LayoutColumn,
  labels: ExportLabels,
  form: CellForm,
  times: TimeWriter | null,
): WriteCell {
  switch (kind) {
    case "value": {
      const names = distinctNames(values, labels);
      const entries = new Map(
        values.map(({ id, code }, index) => [id, form.values === "codes" ? code : names[index]!]),
      );
      return (cell) => entries.get(cell as string) ?? null;
    }
    case "date":
    case "time":
    case "datetime":
      return times ? (cell) => times.answer(kind, asItIs(cell)) : asItIs;
    case "list":
      return (cell) =>
        Array.isArray(cell) ? (form.lists === "json" ? JSON.stringify(cell) : cell.join("; ")) : asItIs(cell);
    default:
      return asItIs;
  }
}

function tooManyColumns(): AppError {
  const details = { elementIds: [`must name fewer questions: the export would have more than ${mostColumns} columns`] };
  return new AppError("validation_failed", details);
}
