/**
 * The facts that a computation needs of respondents besides their version. Respondents with equal facts may be counted
 * together.
 */
export interface WantedFacts {
  elementIds: readonly string[];
  /** Names of hidden fields. */
  fields: readonly string[];
  language: boolean;
  distributorId: boolean;
  /** The quarter of an hour. */
  startedAt: boolean;
}
