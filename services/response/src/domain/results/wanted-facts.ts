/** What a computation asks of respondents beside their version. Those alike in it may come as one. */
export interface WantedFacts {
  elementIds: readonly string[];
  /** Names of hidden fields. */
  fields: readonly string[];
  language: boolean;
  distributorId: boolean;
  /** The quarter of an hour. */
  startedAt: boolean;
}
