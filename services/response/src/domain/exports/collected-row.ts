/**
 * A respondent as an export collects it, in the order of the statement that reads it. Times are in milliseconds.
 * `answers` are sets by answer key. `contactValues` are the requested fields, empty if missing.
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
  contactValues?: readonly string[],
];
