import { callOptions } from "@canvass/rpc";
import { isTraced } from "@canvass/telemetry";

export interface BatchedRequest {
  requestId: string;
  traceparent?: string | undefined;
}

/** Limits the metadata of a call. */
const maxRequestIds = 50;

/** Options of a batch's call. It names the first requests for the service's log, and joins the first trace: it has one. */
export function batchCallOptions(items: readonly BatchedRequest[], timeoutMs: number) {
  const requestIds = items.slice(0, maxRequestIds).map(({ requestId }) => requestId);
  const traceparent = items.find((item) => isTraced(item.traceparent))?.traceparent;
  return callOptions({ timeoutMs, requestId: requestIds.join(" "), traceparent });
}
