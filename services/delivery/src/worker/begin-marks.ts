import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../context.ts";
import type { ClaimedDelivery } from "../storage/claim-deliveries.ts";
import { markBegun } from "../storage/mark-begun.ts";

const MAX_BATCH = 500;

/**
 * Marks an attempt as begun; batches those of one turn. False when the lease is lost or the database is away: do not
 * send. Never rejects.
 */
export function createBeginMarks({ database, now, log }: DeliveryContext) {
  return createBatcher<ClaimedDelivery, boolean>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (deliveries) => {
      try {
        return await markBegun(database.hot.sql, deliveries, now());
      } catch (error) {
        log.warn({ err: error, deliveries: deliveries.length }, "attempts could not be begun");
        return deliveries.map(() => false);
      }
    },
  });
}
