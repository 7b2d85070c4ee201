import { Query, type Connection } from "pg";
import type { Writable } from "node:stream";
import type { Answered } from "./answer-of.ts";

/** How the rows of a statement are read. */
export interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** What pg's Query asks of a connection. */
export interface Wire {
  /** Texts by name; those that were sent to be parsed, and those that were. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  stream: Writable;
  parse(message: object): void;
  bind(message: object): void;
  execute(message: object): void;
  close(message: object): void;
  describe(message: object): void;
  sync(): void;
}

/** pg's Query with what its types leave out. */
declare class Opened {
  name: string;
  text: string;
  callback: Answered | undefined;
  _result: Columns & { _types: unknown };
  _accumulateRows: boolean;
  constructor(text: string, values?: unknown[]);
  submit(connection: Wire): Error | null;
  prepare(connection: Wire): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleEmptyQuery(connection: Connection): void;
  handleError(error: Error, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

export const OpenQuery = Query as unknown as typeof Opened;
