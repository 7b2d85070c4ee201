/** In the order of the statement's columns. Times are in milliseconds. `answers` are sets by answer key. */
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
