/**
 * SQL after the condition on the webhook: the one row with the delivery's id. The ORDER BY forces the primary key:
 * plain equality ties with another index while the table is nearly empty, and stale statistics may choose a full scan.
 * The upper bound stops the scan at the row; without it, the scan reads the following entries of the index page, too.
 */
export const ONE_BY_KEY = (deliveryId: string): string =>
  `delivery_id BETWEEN ${deliveryId} AND ${deliveryId} ORDER BY delivery_id LIMIT 1`;
