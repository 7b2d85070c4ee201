import { isTraced } from "@canvass/telemetry";

/** A batch is one call: it stands in the trace of its first traced item. */
export function firstTraced(items: readonly { traceparent?: string | undefined }[]): string | undefined {
  return items.find(({ traceparent }) => isTraced(traceparent))?.traceparent;
}
