const mostIds = 50;

/**
 * The request ids of a batch as one text, so that a service's log of a failed batch names every request. Cut off, since
 * metadata has limits.
 */
export function requestIdsOf(items: readonly { requestId: string }[]): string {
  return items
    .slice(0, mostIds)
    .map(({ requestId }) => requestId)
    .join(" ");
}
