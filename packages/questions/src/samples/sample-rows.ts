import { standing } from "../choice-list.ts";
import type { Question } from "../definition.ts";
import type { Random } from "./random.ts";

/** Answers a matrix. Skips optional rows now and then, but not all; undefined if there are no rows. */
export function sampleRows(
  question: Question,
  isEachRequired: boolean,
  random: Random,
  cell: () => unknown,
): Record<string, unknown> | undefined {
  const rows = standing(question.rows);
  const answered = rows.filter(() => isEachRequired || random() < 0.93);
  const given = answered.length > 0 ? answered : rows.slice(0, 1);
  return given.length > 0 ? Object.fromEntries(given.map(({ id }) => [id, cell()])) : undefined;
}
