import type { DescMethod } from "@bufbuild/protobuf";
import { isTraced, startSpan, type Span } from "@canvass/telemetry";
import { metadataNames } from "./metadata-names.ts";

/** Sets the span in `metadata` as the parent of the callee's span. */
export function startClientSpan(method: DescMethod, metadata: Record<string, string>): Span | undefined {
  const parent = metadata[metadataNames.traceparent];
  if (!isTraced(parent)) return undefined;
  const name = `${method.parent.typeName}/${method.name}`;
  const span = startSpan(parent, "client", name, { "rpc.system.name": "connectrpc", "rpc.method": name });
  if (span) metadata[metadataNames.traceparent] = span.traceparent;
  return span;
}
