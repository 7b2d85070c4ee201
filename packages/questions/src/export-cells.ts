import type { Question } from "./definition.ts";
import type { ExportCell, ExportCells, ExportColumn, ExportLabels } from "./question-type.ts";

/** The heading of an export column: its text, its id, or `text [id]`. */
export function exportHeading(column: ExportColumn, labels: ExportLabels): string {
  return named(column.id, column.text, labels);
}

/** An id and its label written as the export asks for. */
export function named(id: string, label: string | undefined, labels: ExportLabels): string {
  if (labels === "ids" || label === undefined) return id;
  return labels === "labels" ? label : `${label} [${id}]`;
}

export const textCells: ExportCells = { kind: "text", measure: "nominal", values: [] };
export const amountCells: ExportCells = { kind: "number", measure: "scale", values: [] };

/** Cells with a place in an order, some of which may have a label. */
export function orderCells(labels: readonly (readonly [number, string])[] = []): ExportCells {
  const values = labels.map(([code, label]) => ({ code, id: String(code), label }));
  return { kind: "number", measure: "ordinal", values };
}

/** Cells that hold one of some entries. Their codes are their places, from `firstCode`. */
export function entryCells(entries: readonly { id: string; text: string }[], firstCode = 1): ExportCells {
  const values = entries.map(({ id, text }, index) => ({ code: firstCode + index, id, label: text }));
  return { kind: "value", measure: "nominal", values };
}

/** Cells of an answer that is true or false: 1 and 0. */
export function booleanCells(yes: string, no: string): ExportCells {
  const entries = [
    { id: "false", text: no },
    { id: "true", text: yes },
  ];
  return entryCells(entries, 0);
}

/** The single column of a question that fills one. */
export function oneColumn(question: Question, cells: ExportCells): ExportColumn[] {
  return [{ id: question.questionId, text: question.text ?? "", ...cells }];
}

export const oneText = (question: Question): ExportColumn[] => oneColumn(question, textCells);
export const oneAmount = (question: Question): ExportColumn[] => oneColumn(question, amountCells);

/** The column of one part (a row, a choice, a named field) of a question that fills several. */
export function partColumn(question: Question, partId: string, label: string, cells: ExportCells): ExportColumn {
  return { id: `${question.questionId}.${partId}`, text: `${question.text ?? ""}: ${label}`, ...cells };
}

/** Text and numbers as they are; anything else leaves the cell empty. */
export function plainCell(value: unknown): ExportCell {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
