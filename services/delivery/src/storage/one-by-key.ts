/**
 * SQL behind the condition on the webhook: the one row with the delivery's id. The order leaves any plan the primary key alone:
 * equality ties with another index while the table is nearly empty, and statistics from when it was short let a plan read it whole.
 * The upper bound ends the scan at the row; without it, what stands behind it on its page of the index is read, too.
 */
export const ONE_BY_KEY = (deliveryId: string): string =>
  `delivery_id BETWEEN ${deliveryId} AND ${deliveryId} ORDER BY delivery_id LIMIT 1`;
