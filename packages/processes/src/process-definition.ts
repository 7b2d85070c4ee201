/** A process of Canvass. Paths are relative to the repository root. */
export type ProcessDefinition = {
  name: string;
  main: string;
  migrations?: string;
  /** Services called for its work. `callsOf` adds those that consume its events. */
  asks: readonly string[];
  /** Maximum number of PostgreSQL connections with the default settings; absent if none. */
  connections?: number;
  /** Secret variables beside those of every process or every service. */
  secrets?: readonly string[];
  /** Further variables that are not secret, without addresses of services. */
  settings?: readonly string[];
};
