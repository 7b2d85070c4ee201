import { createYielder } from "@canvass/fairness";

/** Rows serialized at once. A set of answers may have 16 KB. */
const chunkRows = 50;

/** Serializes rows for one parameter of a statement. Yields between chunks, because a batch may write 40,000 rows. */
export async function rowsAsJson(rows: Iterable<object>): Promise<string> {
  const yieldIfDue = createYielder();
  const all = [...rows];
  const chunks: string[] = [];
  for (let from = 0; from < all.length; from += chunkRows) {
    await yieldIfDue();
    chunks.push(JSON.stringify(all.slice(from, from + chunkRows)).slice(1, -1));
  }
  return `[${chunks.join(",")}]`;
}
