import type { Question } from "./definition.ts";
import type { ExportCell, ExportColumn, ExportLabels } from "./question-type.ts";

/** The heading of an export column: its text, its id, or `text [id]` (api-decisions, exports). */
export function exportHeading(column: ExportColumn, labels: ExportLabels): string {
  return named(column.id, column.text, labels);
}

/** An id and its label written as the export asks for. */
export function named(id: string, label: string | undefined, labels: ExportLabels): string {
  if (labels === "ids" || label === undefined) return id;
  return labels === "labels" ? label : `${label} [${id}]`;
}

/** The single column of a question that fills one. */
export function oneColumn(question: Question): ExportColumn[] {
  return [{ id: question.questionId, text: question.text ?? "" }];
}

/** The column of one part (a row, a choice, a named field) of a question that fills several. */
export function partColumn(question: Question, partId: string, label: string): ExportColumn {
  return { id: `${question.questionId}.${partId}`, text: `${question.text ?? ""}: ${label}` };
}

/** Text and numbers as they are; anything else leaves the cell empty. */
export function plainCell(value: unknown): ExportCell {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
