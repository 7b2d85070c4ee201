import { type Violation, pagingViolations } from "@canvass/inputs";
import type { CursorBinding, CursorCodec } from "./cursor.ts";

type SortKey = readonly (string | number)[];

export interface CursorPage<Key extends SortKey> {
  /** Sort key of the previous page's last row; undefined for the first page. */
  after: Key | undefined;
  /** Number of rows to read: one more than the page holds, to see whether more follow. */
  fetch: number;
  /** Violations of `limit` and `cursor`. If there are any, read nothing. */
  violations: Violation[];
  /** Cuts fetched rows to a page of at most `limit` or `most` rows, whichever is less. */
  cut<Row>(rows: readonly Row[], keyOf: (row: Row) => Key, most?: number): CutPage<Row>;
  cursorAt: (key: Key) => string;
}

interface CutPage<Row> {
  rows: Row[];
  nextCursor: string;
  hasMore: boolean;
}

/** Opens a page of a list (contract 2.7). `binding` names everything that determines its rows and their order. */
export function openPage<Key extends SortKey>(
  cursors: CursorCodec,
  binding: CursorBinding,
  { limit, cursor }: { limit: number; cursor: string },
): CursorPage<Key> {
  const after = cursor === "" ? undefined : (cursors.decode(binding, cursor) as Key | undefined);
  const violations = pagingViolations({ limit });
  if (cursor !== "" && !after)
    violations.push({ path: "cursor", message: "is not a cursor of this list and its filters" });
  const cursorAt = (key: Key) => cursors.encode(binding, key);
  return {
    after,
    fetch: limit + 1,
    violations,
    cursorAt,
    cut(found, keyOf, most = limit) {
      const rows = found.slice(0, Math.min(limit, most));
      const last = rows.at(-1);
      const hasMore = found.length > rows.length;
      return { rows, hasMore, nextCursor: hasMore && last !== undefined ? cursorAt(keyOf(last)) : "" };
    },
  };
}
