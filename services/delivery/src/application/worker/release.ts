import type { DeliveryContext } from "../../context.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { releaseDeliveries } from "../../storage/release-deliveries.ts";

/** Returns deliveries to their queues, which rest for `afterMs`. On failure they return when their lease ends. */
export async function release(
  {
    database: {
      hot: { sql },
    },
    now,
    log,
  }: DeliveryContext,
  claimed: readonly ClaimedDelivery[],
  afterMs: number,
): Promise<void> {
  try {
    await releaseDeliveries(sql, claimed, new Date(now().getTime() + afterMs));
  } catch (error) {
    log.warn({ err: error, deliveries: claimed.length }, "deliveries could not be given back");
  }
}
