import { createYielder } from "@canvass/fairness";

/** Rows serialized at once. A set of answers may have 16 KB. */
const pieceRows = 50;

/** Serializes rows for one parameter of a statement. Yields between chunks, because a batch may write 40,000 rows. */
export async function rowsAsJson(rows: Iterable<object>): Promise<string> {
  const yieldIfDue = createYielder();
  const all = [...rows];
  const pieces: string[] = [];
  for (let from = 0; from < all.length; from += pieceRows) {
    await yieldIfDue();
    pieces.push(JSON.stringify(all.slice(from, from + pieceRows)).slice(1, -1));
  }
  return `[${pieces.join(",")}]`;
}
