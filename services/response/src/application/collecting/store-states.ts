import { inTransaction, recognizeDatabaseError, sendAll, type Sql, type Statement } from "@canvass/postgres";
import type { Pool } from "pg";
import { lockCollecting } from "../../storage/advisory-locks.ts";

export interface StatePut {
  locks: readonly string[];
  statements: readonly Statement[];
}

/** Stores states in one commit that later decisions see. Throws `deadline_exceeded` if readers block it too long. */
export async function storeStates(pool: Pool, puts: readonly StatePut[]): Promise<void> {
  if (puts.length === 0) return;
  const store = async (sql: Sql) => {
    const names = puts.flatMap(({ locks }) => locks);
    await lockCollecting(sql, names);
    await sendAll(
      sql,
      puts.flatMap(({ statements }) => statements),
    );
  };
  try {
    await inTransaction(pool, store, { retryOnce: true });
  } catch (error) {
    throw recognizeDatabaseError(error) ?? error;
  }
}
