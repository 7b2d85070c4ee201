/** A process of Canvass. Paths are relative to the repository root. */
export type ProcessDefinition = {
  name: string;
  main: string;
  migrations?: string;
  /** Services called for its work; the event catalogue lists event consumers. */
  asks: readonly string[];
  /** Maximum number of PostgreSQL connections with the default `CANVASS_DATABASE_POOL`; absent if none. */
  connections?: number;
  /** Secret variables that only this process reads. */
  secrets?: readonly string[];
  settings?: readonly string[];
};
