import type { ExportColumn, QuestionCell } from "./question-type.ts";

/** Whether the columns of a question hold the places of its entries in an order. */
export const areRanks = (columns: readonly ExportColumn[]): boolean =>
  columns.length > 0 && columns.every(({ part, kind, measure }) => part && kind === "number" && measure === "ordinal");

/**
 * Returns the value whose cells these are: the inverse of `exportCells`, with entries as ids. Undefined if all cells are
 * null. The value may break rules of its question. Cells of files hold names only, so they do not give their value.
 */
export function readCells(columns: readonly ExportColumn[], cells: readonly QuestionCell[]): unknown {
  const given = columns.flatMap((column, index): Given[] => {
    const cell = cells[index] ?? null;
    return cell === null ? [] : [{ column, cell }];
  });
  if (given.length === 0) return undefined;
  if (areRanks(columns)) return rankedIds(given);
  if (columns.some(({ chosen }) => chosen)) return chosenValue(given);
  if (columns.some(({ part }) => part)) return partsValue(given);
  return singleValue(given);
}

interface Given {
  column: ExportColumn;
  cell: Exclude<QuestionCell, null>;
}

const rankedIds = (given: readonly Given[]): string[] =>
  given.toSorted((a, b) => Number(a.cell) - Number(b.cell)).map(({ column }) => column.part!.path[0]!.id);

function chosenValue(given: readonly Given[]): unknown {
  const texts = new Map(given.flatMap(({ column, cell }) => (column.about ? [[column.about.id, cell] as const] : [])));
  const marks = given.filter(({ column }) => column.chosen);
  const [first] = marks;
  if (first && first.column.part!.path.length > 0) return chosenByRow(marks);
  const ids = marks.filter(({ cell }) => cell === 1).map(({ column }) => column.chosen!.id);
  return [...new Set([...ids, ...texts.keys()])].map((id) => withText(id, texts.get(id)));
}

function chosenByRow(marks: readonly Given[]): Record<string, string[]> {
  const rows = new Map<string, string[]>();
  for (const { column, cell } of marks) {
    const rowId = column.part!.path[0]!.id;
    if (cell === 1) rows.set(rowId, [...(rows.get(rowId) ?? []), column.chosen!.id]);
  }
  return Object.fromEntries(rows);
}

function partsValue(given: readonly Given[]): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { column, cell } of given) {
    const [one, other] = column.part!.path.map(({ id }) => id) as [string, string?];
    if (other === undefined) value[one] = cell;
    else value[one] = { ...(value[one] as object | undefined), [other]: cell };
  }
  return value;
}

function singleValue(given: readonly Given[]): unknown {
  const text = given.find(({ column }) => column.about);
  const answer = given.find(({ column }) => !column.about);
  if (!answer) return withText(text!.column.about!.id, text!.cell);
  const { column, cell } = answer;
  if (text) return withText(String(cell), text.cell);
  return isTruth(column) ? cell === "true" : cell;
}

const withText = (choiceId: string, otherText: unknown): unknown =>
  otherText === undefined ? choiceId : { choiceId, otherText };

const isTruth = ({ kind, values }: ExportColumn): boolean =>
  kind === "value" && values.length === 2 && values[0]!.id === "false" && values[1]!.id === "true";
