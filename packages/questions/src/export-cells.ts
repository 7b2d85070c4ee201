import type { Question } from "./definition.ts";
import type { ExportCell, CellFormat, ExportColumn, ExportLabels, ExportName } from "./question-type.ts";

export function writtenName({ id, label }: ExportName, labels: ExportLabels): string {
  if (labels === "ids") return id;
  return labels === "labels" ? label : `${label} [${id}]`;
}

export const textCellFormat: CellFormat = { kind: "text", measure: "nominal", values: [] };
export const listCellFormat: CellFormat = { kind: "list", measure: "nominal", values: [] };
export const amountCellFormat: CellFormat = { kind: "number", measure: "scale", values: [] };

export function orderCellFormat(labels: readonly (readonly [number, string])[] = []): CellFormat {
  const values = labels.map(([code, label]) => ({ code, id: String(code), label }));
  return { kind: "number", measure: "ordinal", values };
}

/** Codes are positions in the list, from `firstCode`. */
export function entryCellFormat(entries: readonly NamedEntry[], firstCode = 1): CellFormat {
  const values = entries.map((entry, index) => ({ code: firstCode + index, ...nameOf(entry) }));
  return { kind: "value", measure: "nominal", values };
}

const chosenCellFormat: CellFormat = {
  kind: "number",
  measure: "nominal",
  values: [
    { code: 0, id: "0", label: "No" },
    { code: 1, id: "1", label: "Yes" },
  ],
};

export function booleanCellFormat(yes: string, no: string): CellFormat {
  const entries = [
    { id: "false", text: no },
    { id: "true", text: yes },
  ];
  return entryCellFormat(entries, 0);
}

export const booleanCell = (_question: Question, value: unknown): ExportCell[] => [
  typeof value === "boolean" ? String(value) : null,
];

export function oneColumn(question: Question, format: CellFormat): ExportColumn[] {
  return [{ id: question.questionId, text: question.text ?? "", ...format }];
}

export const oneText = (question: Question): ExportColumn[] => oneColumn(question, textCellFormat);
export const oneAmount = (question: Question): ExportColumn[] => oneColumn(question, amountCellFormat);

export function besideColumn(question: Question, partId: string, label: string, format: CellFormat): ExportColumn {
  return { id: `${question.questionId}.${partId}`, text: `${question.text ?? ""}: ${label}`, ...format };
}

export function partColumn(question: Question, path: readonly ExportName[], format: CellFormat): ExportColumn {
  const ids = path.map(({ id }) => id).join(".");
  const asked = { id: question.questionId, text: question.text ?? "" };
  const labels = path.map(({ label }) => label).join(": ");
  return { ...besideColumn(question, ids, labels, format), part: { question: asked, path } };
}

/** Returns one column per entry that can be chosen at a path, with whether it was chosen. */
export function chosenColumns(
  question: Question,
  path: readonly ExportName[],
  entries: readonly NamedEntry[],
): ExportColumn[] {
  return entries.map((entry) => {
    const chosen = nameOf(entry);
    const column = partColumn(question, [...path, chosen], chosenCellFormat);
    return { ...column, part: { ...column.part!, path }, chosen };
  });
}

export function chosenMarks(ids: Iterable<string>, chosen: ReadonlySet<unknown> | null): (0 | 1 | null)[] {
  return Array.from(ids, (id) => (chosen === null ? null : chosen.has(id) ? 1 : 0));
}

interface NamedEntry {
  id: string;
  text: string;
  code?: string;
}

export const nameOf = ({ id, text, code }: NamedEntry): ExportName => ({
  id,
  label: text,
  ...(code !== undefined && { entryCode: code }),
});

export function plainCell(value: unknown): ExportCell {
  return typeof value === "string" || typeof value === "number" ? value : null;
}
