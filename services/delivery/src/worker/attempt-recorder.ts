import { createBatcher } from "@canvass/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryContext } from "../context.ts";
import { recordAttempts, type AttemptRecord } from "../storage/record-attempts.ts";

export interface AttemptRecorder {
  readonly pending: number;
  /**
   * Resolves when the attempt is committed, or its lease is over and the delivery passes to another worker. Never
   * rejects.
   */
  record(record: AttemptRecord): Promise<void>;
}

const MAX_BATCH = 500;
/** Of a queue that drains: a statement costs as much as thirty of its rows. What ended within this time is sent again after a kill. */
const GATHER = { ms: 20, enough: 400 };
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
  const store = createBatcher<AttemptRecord, void>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    gather: GATHER,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (records) => {
      await recordAttempts(sql, records, now());
      return records.map(() => undefined);
    },
  });

  async function storeInTime(record: AttemptRecord): Promise<void> {
    for (;;) {
      try {
        return await store(record);
      } catch (error) {
        const { workspaceId, deliveryId } = record.delivery;
        log.warn({ err: error, workspaceId, deliveryId }, "an attempt could not be recorded");
      }
      if (now() > record.delivery.leaseUntil) return;
      await sleep(RETRY_MS);
    }
  }

  return {
    get pending() {
      return pending;
    },
    async record(record) {
      pending += 1;
      try {
        await storeInTime(record);
      } finally {
        pending -= 1;
      }
    },
  };
}
