import type { PoolClient, QueryResult, Submittable } from "pg";
import { answerOf } from "./answer-of.ts";
import { PreparedQuery } from "./prepared-query.ts";
import { statementName } from "./statement-name.ts";
import { StatementPiece } from "./statement-piece.ts";

/** Sends a statement of a transaction. Without parameters the text may hold several statements and is not prepared. */
export type Ask = (text: string, params?: readonly unknown[]) => Promise<QueryResult>;

/**
 * Returns a function that sends all statements of one event loop tick in a single write, in call order, and gets their
 * results in one batch. Each write and each response wakes the other process, which costs as much as a small statement.
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
