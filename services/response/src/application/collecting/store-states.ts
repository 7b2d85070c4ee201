import { inTransaction, recogniseDatabaseError, sendAll, type Sql, type Statement } from "@canvass/postgres";
import type { Pool } from "pg";
import { lockCollecting } from "../../storage/collecting/collecting-locks.ts";

/** A state to store, and the locks to take before. */
export interface StatePut {
  locks: readonly string[];
  statement: Statement;
}

/**
 * Stores states with one commit, after waiting for readers of the old ones: later decisions see the new states. Throws
 * `deadline_exceeded` if a reader takes too long.
 */
export async function storeStates(pool: Pool, puts: readonly StatePut[]): Promise<void> {
  if (puts.length === 0) return;
  const store = async (sql: Sql) => {
    const names = puts.flatMap(({ locks }) => locks);
    await lockCollecting(sql, names);
    await sendAll(
      sql,
      puts.map(({ statement }) => statement),
    );
  };
  try {
    await inTransaction(pool, store, { retryOnce: true });
  } catch (error) {
    throw recogniseDatabaseError(error) ?? error;
  }
}
