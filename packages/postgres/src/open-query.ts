import { Query, type Connection } from "pg";
import type { Writable } from "node:stream";
import type { Answered } from "./answer-of.ts";

export interface Columns {
  fields: unknown;
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** The part of a connection that pg's Query uses. */
export interface Wire {
  /** Statement texts by name: sent for parsing, and parsed. */
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

/** pg's Query with the members that its types omit. */
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
