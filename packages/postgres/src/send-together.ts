import type { PoolClient, QueryResult, Submittable } from "pg";
import { answerOf } from "./answer-of.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { statementName } from "./statement-name.ts";
import { StatementPiece } from "./statement-piece.ts";

/** Asks for a statement of a transaction; without parameters its text may hold several, and it is not prepared. */
export type Ask = (text: string, params?: readonly unknown[]) => Promise<QueryResult>;

/**
 * Returns a function by which the statements of one turn of the event loop leave as one piece, in the order in which they are asked
 * for, and are answered as one. Each piece and each answer wakes the other process, which costs as much as a small statement.
 */
export function sendTogether(client: PoolClient): Ask {
  let waiting: PreparedQuery[] = [];

  function send(): void {
    if (waiting.length === 0) return;
    client.query(new StatementPiece(waiting) as unknown as Submittable);
    waiting = [];
  }

  function prepared(text: string, params: readonly unknown[]): Promise<QueryResult> {
    const query = new PreparedQuery(statementName(text), text, params);
    if (waiting.push(query) === 1) process.nextTick(send);
    return answerOf((answered) => (query.callback = answered));
  }

  return (text, params) => {
    if (params) return prepared(text, params);
    send();
    return client.query(text);
  };
}
