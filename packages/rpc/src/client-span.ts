import type { DescMethod } from "@bufbuild/protobuf";
import { isTraced, startSpan, type Span } from "@canvass/telemetry";
import { metadataNames } from "./metadata-names.ts";

/** A client span for a call of a trace. The callee's span stands below it: `metadata` gets its traceparent. */
export function startClientSpan(method: DescMethod, metadata: Record<string, string>): Span | undefined {
  const parent = metadata[metadataNames.traceparent];
  if (!isTraced(parent)) return undefined;
  const name = `${method.parent.typeName}/${method.name}`;
  const span = startSpan(parent, "client", name, { "rpc.system.name": "grpc", "rpc.method": name });
  if (span) metadata[metadataNames.traceparent] = span.traceparent;
  return span;
}
