import { createBatcher } from "@canvass/fairness";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryContext } from "../../context.ts";
import { recordAttempts, type AttemptRecord } from "../../storage/record-attempts.ts";

export interface AttemptRecorder {
  /** Attempts that are not recorded yet. */
  readonly pending: number;
  /** Resolves when the attempt is committed or its lease has ended. Never rejects. */
  record(record: AttemptRecord): Promise<void>;
}

const MAX_BATCH = 500;
/**
 * Batches start at least 20 ms apart, unless 200 attempts wait: a statement costs as much as twenty rows. If the
 * process is killed, attempts that are not yet recorded are made again.
 */
const LINGER = { ms: 20, enough: 200 };
const RETRY_MS = 200;

/** Group commit: attempts that end while a batch is stored form the next one. */
export function createAttemptRecorder({
  database: {
    hot: { sql },
  },
  now,
  log,
}: DeliveryContext): AttemptRecorder {
  let pending = 0;
  const store = createBatcher<AttemptRecord, boolean>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    linger: LINGER,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (records) => {
      try {
        await recordAttempts(sql, records, now());
        return records.map(() => true);
      } catch (error) {
        log.warn({ err: error, attempts: records.length }, "attempts could not be recorded");
        return records.map(() => false);
      }
    },
  });

  return {
    get pending() {
      return pending;
    },
    async record(record) {
      pending += 1;
      try {
        while (!(await store(record)) && now() <= record.delivery.leaseUntil) await sleep(RETRY_MS);
      } finally {
        pending -= 1;
      }
    },
  };
}
