import { type Fault, pagingFaults } from "@canvass/inputs";
import type { CursorBinding, CursorCodec } from "./cursor.ts";

/** A place in a list's order, by which the next page starts. */
type Position = readonly (string | number)[];

/** One page of a list, as it was asked for. */
export interface CursorPage<Place extends Position> {
  /** Where the page before ended; undefined: from the start. */
  after: Place | undefined;
  /** How many rows to read: one more than the page has, which tells whether there are more. */
  fetch: number;
  /** What is wrong with `limit` and `cursor`; with faults, read nothing. */
  faults: Fault[];
  /** The page out of the rows that were read, with the message fields of its end. `most`: rows for which it has room. */
  cut<Row>(rows: readonly Row[], placeOf: (row: Row) => Place, most?: number): CutPage<Row>;
  /** The cursor after a row. */
  cursorAt: (place: Place) => string;
}

interface CutPage<Row> {
  rows: Row[];
  nextCursor: string;
  hasMore: boolean;
}

/**
 * Opens a page of a list (contract 2.7). `binding` names the list and everything that decides which rows it has and in
 * which order: workspace, parent, filters, sort.
 */
export function openPage<Place extends Position>(
  cursors: CursorCodec,
  binding: CursorBinding,
  { limit, cursor }: { limit: number; cursor: string },
): CursorPage<Place> {
  const after = cursor === "" ? undefined : (cursors.decode(binding, cursor) as Place | undefined);
  const faults = pagingFaults({ limit });
  if (cursor !== "" && !after) faults.push({ path: "cursor", message: "is not a cursor of this list and its filters" });
  const cursorAt = (place: Place) => cursors.encode(binding, place);
  return {
    after,
    fetch: limit + 1,
    faults,
    cursorAt,
    cut(found, placeOf, most = limit) {
      const rows = found.slice(0, Math.min(limit, most));
      const last = rows.at(-1);
      const hasMore = found.length > rows.length;
      return { rows, hasMore, nextCursor: hasMore && last !== undefined ? cursorAt(placeOf(last)) : "" };
    },
  };
}
