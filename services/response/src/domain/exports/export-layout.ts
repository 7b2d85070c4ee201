import { AppError } from "@canvass/errors";
import {
  answerKey,
  exportHeading,
  questionTypeOf,
  type ExportCell,
  type ExportColumn,
  type ExportLabels,
  type ExportValue,
  type Question,
} from "@canvass/questions";
import { withCodes } from "./code-lists.ts";
import type { CollectedRow } from "./collected-row.ts";
import type { ExportOptions } from "./export-options.ts";
import type { TimeForm } from "./export-times.ts";
import type { MergedQuestion } from "./merged-questions.ts";
import { respondentColumns } from "./respondent-columns.ts";

export type LayoutColumn = Omit<ExportColumn, "kind"> & { kind: ExportColumn["kind"] | "time" };
export type HeadedColumn = LayoutColumn & { heading: string };

/** How cells are wanted: as the export's labels say, or as codes, and with times in one form. */
export interface CellForm {
  values: "written" | "codes";
  times: TimeForm;
}

export interface ExportLayout {
  columns: readonly HeadedColumn[];
  cellsOf: (row: CollectedRow) => ExportCell[];
}

/** As many as a spreadsheet takes. */
export const mostColumns = 16_384;

/**
 * The columns of an export and the cells of its rows: those of the respondent, then a column or group for each question.
 * They depend on the questions alone, and so stay the same from export to export. Throws `validation_failed` when there
 * are too many.
 */
export function createExportLayout(
  questions: readonly MergedQuestion[],
  options: ExportOptions,
  form: CellForm,
): ExportLayout {
  const wanted = options.elementIds && new Set(options.elementIds);
  const fixed = respondentColumns(options, form.times);
  const columns: LayoutColumn[] = [...fixed];
  const slots = new Map<string, Slot>();
  for (const asked of questions) {
    if (wanted && ![...asked.elementIds].some((elementId) => wanted.has(elementId))) continue;
    const type = questionTypeOf(asked.question);
    const own = withCodes(type.exportColumns(asked.question), asked.codes);
    for (const item of asked.items) {
      const slot = { question: asked.question, type, offset: columns.length };
      for (const elementId of asked.elementIds) slots.set(answerKey(elementId, item?.id ?? null), slot);
      columns.push(...own.map((column) => ofItem(column, asked.question, item)));
      if (columns.length > mostColumns) throw tooManyColumns();
    }
  }
  const write = createCellWriter(columns, options.labels, form.values);
  const labels = form.values === "codes" ? "ids" : options.labels;
  return {
    columns: withHeadings(columns, options.labels),
    cellsOf(row) {
      const cells: ExportCell[] = Array.from({ length: columns.length }, () => null);
      for (const [index, column] of fixed.entries()) cells[index] = write(index, column.read(row));
      for (const answers of row[10] ?? []) {
        for (const key in answers) {
          const slot = slots.get(key);
          if (!slot) continue;
          const own = slot.type.exportCells(slot.question, answers[key], labels);
          for (const [index, cell] of own.entries()) {
            cells[slot.offset + index] = form.values === "codes" ? write(slot.offset + index, cell) : cell;
          }
        }
      }
      return cells;
    },
  };
}

interface Slot {
  question: Question;
  type: ReturnType<typeof questionTypeOf>;
  offset: number;
}

function ofItem(column: ExportColumn, { questionId }: Question, item: ExportValue | null): ExportColumn {
  if (item === null) return column;
  const id = `${questionId}:${item.id}${column.id.slice(questionId.length)}`;
  return { ...column, id, text: `${column.text} (${item.label})` };
}

/** Headings differ, as keys of objects must: those of the same text are told apart by their ids. */
function withHeadings(columns: readonly LayoutColumn[], labels: ExportLabels): HeadedColumn[] {
  const written = columns.map((column) => exportHeading(column as ExportColumn, labels));
  const counts = new Map<string, number>();
  for (const heading of written) counts.set(heading, (counts.get(heading) ?? 0) + 1);
  return columns.map((column, index) => {
    const heading = written[index]!;
    return { ...column, heading: counts.get(heading)! > 1 ? exportHeading(column as ExportColumn, "both") : heading };
  });
}

/** Writes ids of `value` columns as codes, or as the labels say. */
function createCellWriter(columns: readonly LayoutColumn[], labels: ExportLabels, values: CellForm["values"]) {
  const byId = columns.map((column) => {
    if (column.kind !== "value") return undefined;
    return new Map(
      column.values.map(({ id, code, label }) => [id, values === "codes" ? code : named(id, label, labels)]),
    );
  });
  return (index: number, cell: ExportCell): ExportCell => {
    const entries = byId[index];
    if (!entries || cell === null) return cell;
    return entries.get(cell as string) ?? null;
  };
}

const named = (id: string, text: string, labels: ExportLabels): string =>
  exportHeading({ id, text } as ExportColumn, labels);

function tooManyColumns(): AppError {
  const details = { elementIds: [`must name fewer questions: the export would have more than ${mostColumns} columns`] };
  return new AppError("validation_failed", details);
}
