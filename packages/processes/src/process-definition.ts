/** One of the processes that Canvass consists of. Paths are from the root of the checkout. */
export type ProcessDefinition = {
  name: string;
  /** The program. */
  main: string;
  /** The migrations of the database it owns; absent: it owns none. */
  migrations?: string;
  /** Services whose RPCs it calls to do its work. Those it hands events over to are found in the event catalogue. */
  asks: readonly string[];
  /** Secrets that only this process reads, by their variables. */
  secrets?: readonly string[];
  /** Settings that not every process reads, by their variables. */
  settings?: readonly string[];
};
