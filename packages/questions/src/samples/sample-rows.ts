import { withoutRetired } from "../choice-list.ts";
import type { Question } from "../definition.ts";
import type { Random } from "./random.ts";

/** Answers most rows of a matrix, or all if each is required; undefined if there are no rows. */
export function sampleRows(
  question: Question,
  isEachRequired: boolean,
  random: Random,
  cell: () => unknown,
): Record<string, unknown> | undefined {
  const rows = withoutRetired(question.rows);
  const answered = rows.filter(() => isEachRequired || random() < 0.93);
  const given = answered.length > 0 ? answered : rows.slice(0, 1);
  return given.length > 0 ? Object.fromEntries(given.map(({ id }) => [id, cell()])) : undefined;
}
