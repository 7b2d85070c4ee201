/**
 * A line of an export's part: what `findExportRows` reads, and from `contactValues` on what collecting adds. Times are
 * in milliseconds.
 */
export type CollectedRow = readonly [
  respondentId: string,
  isAnonymous: boolean,
  isTest: boolean,
  startedAt: number,
  completedAt: number | null,
  versionNumber: number,
  language: string,
  distributorId: string,
  contactId: string,
  metadata: Record<string, unknown>,
  answers: readonly Record<string, unknown>[] | null,
  contactValues?: readonly string[] | null,
  /** Absent in parts of older processes. */
  fields?: Readonly<Record<string, string | number>>,
  orderSeed?: number | null,
  isScreenedOut?: boolean,
];

/** The columns of a row by name. `answers` are sets of values by answer key. */
export function namedRow(row: CollectedRow) {
  const [respondentId, isAnonymous, isTest, startedAt, completedAt, versionNumber, language, ...rest] = row;
  const [distributorId, contactId, metadata, answers, contactValues, ...newer] = rest;
  const [fields = {}, orderSeed = null, isScreenedOut = false] = newer;
  return {
    respondentId,
    isAnonymous,
    isTest,
    startedAt,
    completedAt,
    versionNumber,
    language,
    distributorId,
    contactId,
    metadata,
    answers: answers ?? [],
    contactValues: contactValues ?? [],
    fields,
    orderSeed,
    isScreenedOut,
  };
}

export type NamedRow = ReturnType<typeof namedRow>;
