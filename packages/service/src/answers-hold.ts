import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";

/** Milliseconds for which the response service holds a survey or link while its owner changes it. */
export const holdMs = 15_000;
/** A transaction ends that much earlier than its hold. */
const marginMs = 5_000;

/**
 * Makes a transaction commit during the hold or not at all. `askedAt`: when the hold was requested, by
 * performance.now(). Throws `service_unavailable` if too much of it has passed; the database ends a transaction that
 * takes longer, and its commit fails.
 */
export async function commitDuringHold(sql: Sql, askedAt: number): Promise<void> {
  const leftMs = Math.floor(askedAt + holdMs - marginMs - performance.now());
  if (leftMs <= 0) throw new AppError("service_unavailable");
  await sql.query("SELECT set_config('transaction_timeout', $1, true)", [String(leftMs)]);
}
