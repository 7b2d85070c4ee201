import { isTraced } from "@canvass/telemetry";

/** Returns the traceparent of the first traced item. A batch is one call, so it can join only one trace. */
export function firstTraced(items: readonly { traceparent?: string | undefined }[]): string | undefined {
  return items.find(({ traceparent }) => isTraced(traceparent))?.traceparent;
}
