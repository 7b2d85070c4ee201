/** A process of Canvass. Paths start at the checkout's root. */
export type ProcessDefinition = {
  name: string;
  main: string;
  /** Migrations of its database; absent: none. */
  migrations?: string;
  /** Services called for its work. Event consumers are in the event catalogue. */
  asks: readonly string[];
  /** Connections to PostgreSQL that it opens at most, with the usual `CANVASS_DATABASE_POOL`; absent: none. */
  connections?: number;
  /** Variables of secrets that only this process reads. */
  secrets?: readonly string[];
  /** Variables that not every process reads. */
  settings?: readonly string[];
};
