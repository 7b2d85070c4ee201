import { inTransaction, recogniseDatabaseError, sendAll, type Sql, type Statement } from "@canvass/postgres";
import type { Pool } from "pg";
import { lockCollecting } from "../../storage/collecting/collecting-locks.ts";

/** A state to store, and the locks behind which it is read. */
export interface StatePut {
  locks: readonly string[];
  statement: Statement;
}

/**
 * Stores states with one commit, once nobody reads the ones before: whoever judges afterwards sees them. Throws
 * `deadline_exceeded` where somebody reads them for too long.
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
