import { backoff, sleep } from "../connection/pause.ts";

/** A page as the generated class returns it. */
interface ReadPage<Item> {
  data: { data: Item[]; pagination: { cursor_next: string | null; hasMore: boolean } };
}

/**
 * Yields the items of all pages, each page when it is needed (contract 2.7). A page may be short or empty before the
 * end; from the second empty page in a row it waits a little before the next.
 */
export async function* listItems<Item>(
  readPage: (cursor: string | undefined) => Promise<ReadPage<Item>>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (let empty = 0; ;) {
    const { data, pagination } = (await readPage(cursor)).data;
    yield* data;
    if (!pagination.hasMore || pagination.cursor_next === null) return;
    cursor = pagination.cursor_next;
    empty = data.length > 0 ? 0 : empty + 1;
    if (empty > 1) await sleep(backoff(empty), signal);
  }
}
