import type { Pool } from "pg";
import { retryOnConflict } from "./conflict.ts";
import { runQuery, rowsOf, type Sql } from "./sql.ts";

export interface TransactionOptions {
  /** Retries `work` once after a conflict (40001, 40P01). Default false. */
  retryOnce?: boolean;
  /** Default: READ COMMITTED. */
  isolation?: "repeatable read" | "serializable";
}

/** Registers pending statements. The commit does not wait for their results; if one fails, so does the transaction. */
export type Defer = (statements: Promise<unknown>) => void;

/** Runs `work` in a transaction. A failed statement fails the transaction, even if `work` caught the error. */
export async function inTransaction<T>(
  pool: Pool,
  work: (sql: Sql, defer: Defer) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const attempt = () => runOnce(pool, work, options);
  return options.retryOnce === true ? retryOnConflict(attempt) : attempt();
}

async function runOnce<T>(
  pool: Pool,
  work: (sql: Sql, defer: Defer) => Promise<T>,
  { isolation }: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection lost between statements emits "error", which would end the process without a listener.
  const onError = (error: Error) => (broken = error);
  client.on("error", onError);
  let failure: unknown;
  /** PostgreSQL refuses the statements after a failed one (25P02). They fail with the error of the first. */
  async function firstFailure<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw (failure ??= error);
    }
  }
  const unanswered: Promise<unknown>[] = [];
  let ended = false;
  try {
    // Not awaited: BEGIN is sent with the first statements. If it fails, they ran outside a transaction.
    const begun = runQuery(client, isolation === undefined ? "BEGIN" : `BEGIN ISOLATION LEVEL ${isolation}`);
    begun.catch((error: Error) => (broken = error));
    const result = await work(
      {
        query: async <Row>(text: string, params?: readonly unknown[]) => {
          if (ended) throw new Error("a statement was asked for after its transaction");
          return rowsOf<Row>(await firstFailure(() => runQuery(client, text, params)));
        },
      },
      (statements) => {
        statements.catch(() => undefined);
        unanswered.push(statements);
      },
    );
    ended = true;
    if (failure !== undefined) throw failure;
    const committed = runQuery(client, "COMMIT");
    committed.catch(() => undefined);
    await Promise.all([begun, ...unanswered]);
    // For a failed transaction, PostgreSQL responds to COMMIT with ROLLBACK and no error.
    if ((await committed).command !== "COMMIT") throw failure ?? new Error("rolled back");
    return result;
  } catch (error) {
    ended = true;
    // ROLLBACK is sent after all pending statements, including BEGIN.
    await runQuery(client, "ROLLBACK").catch((lost: Error) => (broken = lost));
    throw error;
  } finally {
    client.removeListener("error", onError);
    client.release(broken);
  }
}
