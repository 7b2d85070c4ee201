import { type Violation, joinPath } from "@canvass/inputs";
import { type JsonObject } from "@canvass/values";
import { choiceViolation, rowsById } from "./choice-list.ts";
import type { Question } from "./definition.ts";
import type { ValueContext } from "./question-type.ts";

const mostReported = 100;

export function checkRowIds(
  question: Question,
  value: JsonObject,
  context: ValueContext | undefined,
  violations: Violation[],
  checkCell: (cell: unknown, path: string) => void,
): void {
  const rows = rowsById(question);
  const rowIds = Object.keys(value);
  if (rowIds.length === 0)
    violations.push({ path: "", message: "must answer at least one statement; null retracts an answer" });
  for (const rowId of rowIds) {
    if (violations.length > mostReported) return;
    const violation = choiceViolation(rows, rowId, "a statement", context?.allowRetired);
    if (violation) violations.push({ path: joinPath("", rowId), message: violation });
    else checkCell(value[rowId], rowId);
  }
}

export function missingRows(question: Question, value: JsonObject, context?: ValueContext): Violation[] {
  return (question.rows ?? [])
    .filter(({ id, retired }) => !retired && !context?.hidden?.has(id) && !Object.hasOwn(value, id))
    .map((row) => ({ path: row.id, message: "is required" }));
}
