import { Type, type TBoolean, type TOptional } from "typebox";

/** Properties of a list entry that are set or not, with their descriptions in API documents. */
const marks = {
  exclusive: "choosing it takes back all others; without effect where one choice is allowed",
  freeText: "takes a text of 1 to 1,000 characters, as Other does",
  pinned: "keeps its place where its list is shuffled",
} as const;

export type EntryMark = keyof typeof marks;
export const entryMarks = Object.keys(marks) as readonly EntryMark[];
export type EntryMarks = { [Mark in EntryMark]?: boolean };

type MarkField = TOptional<TBoolean>;

/** Fields for the marks that a list takes. */
export function markFields<Mark extends EntryMark>(taken: readonly Mark[]): Record<Mark, MarkField> {
  const fields = taken.map((mark) => [mark, Type.Optional(Type.Boolean({ description: marks[mark] }))]);
  return Object.fromEntries(fields) as Record<Mark, MarkField>;
}

export const allMarkFields = markFields<EntryMark>(["exclusive", "freeText", "pinned"]);

/**
 * Returns the marks that are set. Others are absent, so that entries without marks are equal to those of older
 * versions.
 */
export function marksOf(entry: EntryMarks): EntryMarks {
  const set: EntryMarks = {};
  for (const mark of entryMarks) if (entry[mark]) set[mark] = true;
  return set;
}

/** An absent mark is unchanged. */
export function mergeMarks(given: EntryMarks, previous: EntryMarks = {}): EntryMarks {
  const all = entryMarks.map((mark) => [mark, given[mark] ?? previous[mark]]);
  return marksOf(Object.fromEntries(all) as EntryMarks);
}
