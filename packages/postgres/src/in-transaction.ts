import type { Pool } from "pg";
import { retryOnConflict } from "./conflict.ts";
import { sendTogether, type Ask } from "./send-together.ts";
import type { Sql } from "./sql.ts";

export interface TransactionOptions {
  /** Run `work` again after a conflict (40001, 40P01). Default false. */
  retryOnce?: boolean;
  /** Default: READ COMMITTED. */
  isolation?: "repeatable read" | "serializable";
}

/**
 * Takes statements that are under way. The commit is sent behind them without waiting for their answers; when one fails, the
 * transaction does.
 */
export type Last = (statements: Promise<unknown>) => void;

/**
 * Runs `work` in one transaction; rolls back and rethrows when it throws. Resolves only after a commit: a failed statement
 * whose error `work` caught still fails the transaction. A statement asked for later throws.
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
  // Emitted for a connection lost between statements; without a listener it would end the process.
  const onError = (error: Error) => (broken = error);
  client.on("error", onError);
  const ask = sendTogether(client);
  const unanswered: Promise<unknown>[] = [];
  let ended = false;
  try {
    // Not awaited: it is sent with the first statements. When it fails, so does the connection.
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
    // Behind what waits to be sent, the beginning even.
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
  // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
  if (command !== "COMMIT") throw new Error("the transaction was rolled back because a statement in it had failed");
}
