/**
 * A respondent as an export collects it, in the order of the statement that reads it: id, anonymous, test, start and
 * completion (milliseconds), version number, language, distributor, contact, metadata, sets of answers by answer key;
 * of a contact also the values of the fields that were asked for, empty where it has none.
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
