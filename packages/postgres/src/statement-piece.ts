import type { Connection } from "pg";
import { OpenQuery, type Wire } from "./open-query.ts";
import type { PreparedQuery } from "./prepared-query.ts";

/**
 * Sends prepared statements as one batch with a single Sync at the end. pg sends a Sync after each statement, and at
 * each PostgreSQL flushes its response and wakes us. After a failed statement, PostgreSQL skips the rest (Message Flow,
 * Pipelining); they fail with its error.
 */
export class StatementPiece extends OpenQuery {
  readonly statements: readonly PreparedQuery[];
  /** Number of statements sent. Sending stops at the first whose values cannot be encoded. */
  #sent = 0;
  /** Index of the statement whose response comes next. */
  #current = 0;

  constructor(statements: readonly PreparedQuery[]) {
    super("");
    this.statements = statements;
  }

  override submit(connection: Wire): null {
    const { stream } = connection;
    stream.cork();
    for (const statement of this.statements) {
      statement._result._types ??= this._result._types;
      const unsent = statement.begin(connection as unknown as Connection);
      if (unsent) {
        for (const { callback } of this.statements.slice(this.#sent)) callback!(unsent);
        break;
      }
      this.#sent += 1;
    }
    connection.sync();
    stream.uncork();
    this.#turnTo(0);
    return null;
  }

  // pg reads the name and text of the query it considers current.
  #turnTo(index: number): void {
    this.#current = index;
    this.name = this.statements[index]?.name ?? "";
    this.text = this.statements[index]?.text ?? "";
  }

  override handleRowDescription(message: unknown): void {
    this.statements[this.#current]!.handleRowDescription(message);
  }

  override handleDataRow(message: unknown): void {
    this.statements[this.#current]!.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    this.statements[this.#current]!.handleCommandComplete(message, connection);
    this.#turnTo(this.#current + 1);
  }

  override handleEmptyQuery(): void {
    this.#turnTo(this.#current + 1);
  }

  override handleReadyForQuery(connection: Connection): void {
    for (const statement of this.statements.slice(0, this.#sent)) statement.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements } = connection as unknown as Wire;
    for (const [index, statement] of this.statements.entries()) {
      if (index < this.#current) {
        statement.handleReadyForQuery(connection);
        continue;
      }
      // It was sent for parsing but not parsed.
      delete submittedNamedStatements[statement.name];
      statement.handleError(error, connection);
    }
  }
}
