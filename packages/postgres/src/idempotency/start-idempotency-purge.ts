import type { Sql } from "../sql.ts";
import { purgeExpiredIdempotencyRecords } from "./purge-expired-idempotency-records.ts";

export interface IdempotencyPurgeOptions {
  /** A pool. */
  sql: Sql;
  now: () => Date;
  /** Milliseconds between purges. Default ten minutes. */
  intervalMs?: number;
  /** Told about a purge that failed; the next one catches up. */
  onFailure: (error: unknown) => void;
}

/** Deletes expired idempotency records now and then. Every replica may; disposing waits for a purge under way. */
export function startIdempotencyPurge(options: IdempotencyPurgeOptions): AsyncDisposable {
  const { sql, now, intervalMs = 600_000, onFailure } = options;
  let underWay: Promise<unknown> | undefined;
  const purge = (): void => {
    underWay ??= purgeExpiredIdempotencyRecords(sql, now())
      .catch(onFailure)
      .finally(() => (underWay = undefined));
  };
  const timer = setInterval(purge, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await underWay;
    },
  };
}
