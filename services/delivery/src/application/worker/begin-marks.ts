import { createBatcher } from "@canvass/rpc";
import type { DeliveryContext } from "../../context.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { markBegun } from "../../storage/mark-begun.ts";

const MAX_BATCH = 500;
/** A statement costs as much as ten of its rows. */
const GATHER = { ms: 3, enough: 25 };

/** Marks attempts in batches. Undefined (lease lost or database unavailable): do not send. Never rejects. */
export function createBeginMarks({ database, now, log }: DeliveryContext) {
  return createBatcher<ClaimedDelivery, string | undefined>({
    maxSize: MAX_BATCH,
    maxInFlight: 1,
    gather: GATHER,
    maxQueued: Number.POSITIVE_INFINITY,
    send: async (deliveries) => {
      try {
        return await markBegun(database.hot.sql, deliveries, now());
      } catch (error) {
        log.warn({ err: error, deliveries: deliveries.length }, "attempts could not be begun");
        return deliveries.map(() => undefined);
      }
    },
  });
}
