/**
 * Selects the one row with the delivery's id. The ORDER BY forces the primary key: with equality alone, a nearly empty
 * table or stale statistics lead to other plans. The upper bound stops the scan at the row.
 */
export const ONE_BY_KEY = (deliveryId: string): string =>
  `delivery_id BETWEEN ${deliveryId} AND ${deliveryId} ORDER BY delivery_id LIMIT 1`;
