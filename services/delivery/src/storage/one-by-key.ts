/** The ORDER BY forces the primary key, even with stale statistics. The upper bound ends the scan at the row. */
export const ONE_BY_KEY = (deliveryId: string): string =>
  `delivery_id BETWEEN ${deliveryId} AND ${deliveryId} ORDER BY delivery_id LIMIT 1`;
