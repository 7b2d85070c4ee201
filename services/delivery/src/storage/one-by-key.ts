/** The ORDER BY forces the primary key, even with stale statistics. The upper bound ends the scan if there is no row. */
export const ONE_BY_KEY = (keyExpression: string): string =>
  `delivery_id BETWEEN ${keyExpression} AND ${keyExpression} ORDER BY delivery_id LIMIT 1`;
