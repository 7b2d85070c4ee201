const mostIds = 50;

/** Joins the first request ids of a batch for the service's log. Limited, since metadata has a size limit. */
export function requestIdsOf(items: readonly { requestId: string }[]): string {
  return items
    .slice(0, mostIds)
    .map(({ requestId }) => requestId)
    .join(" ");
}
