import type { Pool } from "pg";
import { retryOnConflict } from "./conflict.ts";
import { sendTogether, type Ask } from "./send-together.ts";
import type { Sql } from "./sql.ts";

export interface TransactionOptions {
  /** Retry `work` once after a conflict (40001, 40P01). Default false. */
  retryOnce?: boolean;
  /** Default: READ COMMITTED. */
  isolation?: "repeatable read" | "serializable";
}

/** Registers pending statements. The commit does not wait for their results; if one fails, so does the transaction. */
export type Last = (statements: Promise<unknown>) => void;

/**
 * Runs `work` in a transaction; rolls back and rethrows if it throws. Resolves only after a commit: a failed statement
 * fails the transaction even if `work` caught the error. A query after the end throws.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (sql: Sql, last: Last) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const attempt = () => runOnce(pool, work, options);
  return options.retryOnce === true ? retryOnConflict(attempt) : attempt();
}

async function runOnce<T>(
  pool: Pool,
  work: (sql: Sql, last: Last) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection lost between statements emits "error", which would end the process without a listener.
  const onError = (error: Error) => (broken = error);
  client.on("error", onError);
  const ask = sendTogether(client);
  const unanswered: Promise<unknown>[] = [];
  let ended = false;
  try {
    // Not awaited: BEGIN is sent with the first statements. It fails only with the connection.
    const begun = ask(options.isolation === undefined ? "BEGIN" : `BEGIN ISOLATION LEVEL ${options.isolation}`, []);
    begun.catch(() => undefined);
    const result = await work(
      {
        query: <Row>(text: string, params?: readonly unknown[]) => {
          if (ended) throw new Error("a statement was asked for after its transaction");
          return rowsOf<Row>(ask(text, params?.length ? params : undefined));
        },
      },
      (statements) => {
        statements.catch(() => undefined);
        unanswered.push(statements);
      },
    );
    ended = true;
    const committed = commit(ask);
    committed.catch(() => undefined);
    await Promise.all([begun, ...unanswered]);
    await committed;
    return result;
  } catch (error) {
    ended = true;
    // ROLLBACK is sent after all queued statements, including BEGIN.
    await ask("ROLLBACK").catch((failure: Error) => (broken = failure));
    throw error;
  } finally {
    client.removeListener("error", onError);
    client.release(broken);
  }
}

async function rowsOf<Row>(answer: ReturnType<Ask>): Promise<Row[]> {
  return (await answer).rows as Row[];
}

async function commit(ask: Ask): Promise<void> {
  const { command } = await ask("COMMIT", []);
  // For a failed transaction, PostgreSQL responds to COMMIT with ROLLBACK and no error.
  if (command !== "COMMIT") throw new Error("the transaction was rolled back because a statement in it had failed");
}
