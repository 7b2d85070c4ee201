const mostIds = 50;

/**
 * The request ids of a batch as one text: what a service logs when the batch fails finds every request in it. Only so
 * many, since metadata has its limits.
 */
export function requestIdsOf(items: readonly { requestId: string }[]): string {
  return items
    .slice(0, mostIds)
    .map(({ requestId }) => requestId)
    .join(" ");
}
