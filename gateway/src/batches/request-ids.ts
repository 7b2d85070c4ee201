const mostIds = 50;

/** Joins the request ids of a batch, for the service's log. Cut off, since metadata has limits. */
export function requestIdsOf(items: readonly { requestId: string }[]): string {
  return items
    .slice(0, mostIds)
    .map(({ requestId }) => requestId)
    .join(" ");
}
