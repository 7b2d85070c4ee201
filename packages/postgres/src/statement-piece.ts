import type { Connection } from "pg";
import { OpenQuery, type Wire } from "./open-query.ts";
import type { PreparedQuery } from "./prepared-query.ts";

/**
 * Prepared statements that are sent as one piece and answered as one: only behind the last stands a Sync. pg sends one behind
 * each statement, and at each PostgreSQL writes its answer and wakes us. Behind a statement that fails, PostgreSQL skips the
 * others (Message Flow, Pipelining); they fail with its error.
 */
export class StatementPiece extends OpenQuery {
  readonly statements: readonly PreparedQuery[];
  /** Behind one whose values cannot be sent, none is. */
  #sent = 0;
  /** Whose answer comes next. */
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

  // pg looks at the name and the text of whom it takes to be answered.
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
      // It was sent to be parsed, and was not.
      delete submittedNamedStatements[statement.name];
      statement.handleError(error, connection);
    }
  }
}
