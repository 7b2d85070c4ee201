import type { DeliveryContext } from "../../context.ts";
import type { ClaimedDelivery } from "../../storage/claimed-delivery.ts";
import { releaseDeliveries } from "../../storage/release-deliveries.ts";

/** Returns deliveries to their queues, due at once. On failure they return when their lease ends. */
export async function release(
  {
    database: {
      hot: { sql },
    },
    now,
    log,
  }: DeliveryContext,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  try {
    await releaseDeliveries(sql, claimed, now());
  } catch (error) {
    log.warn({ err: error, deliveries: claimed.length }, "deliveries could not be given back");
  }
}
