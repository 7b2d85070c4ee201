import type { DescField, DescMethod, Message } from "@bufbuild/protobuf";
import { Histogram, type Registry } from "@canvass/telemetry";
import type { Interceptor } from "@connectrpc/connect";
import { registerCallDuration, methodName } from "./call-metrics.ts";

export function metricsInterceptor(registry: Registry): Interceptor {
  const observe = registerCallDuration(registry, "server");
  const countItems = batchItems(registry);
  return (next) => async (request) => {
    const started = performance.now();
    const ended = (error?: unknown) => observe(request.method, performance.now() - started, error);
    if (!request.stream) countItems(request.method, request.message);
    try {
      const response = await next(request);
      if (response.stream) return { ...response, message: watched(response.message, ended) };
      ended();
      return response;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}

/** A batch method is named `Batch...`, and the first list of its request holds its items (AIP-231). */
function batchItems(registry: Registry): (method: DescMethod, request: Message) => void {
  const items = new Histogram({
    name: "canvass_rpc_batch_items",
    help: "Items of an inbound batch",
    labelNames: ["rpc_method"],
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [registry],
  });
  const lists = new Map<DescMethod, DescField | undefined>();
  return (method, request) => {
    if (!lists.has(method)) lists.set(method, listOf(method));
    const list = lists.get(method);
    if (list === undefined) return;
    const { length } = (request as unknown as Record<string, readonly unknown[]>)[list.localName]!;
    items.observe({ rpc_method: methodName(method) }, length);
  };
}

function listOf({ name, input }: DescMethod): DescField | undefined {
  return name.startsWith("Batch") ? input.fields.find(({ fieldKind }) => fieldKind === "list") : undefined;
}

/** A stream lasts until its last message is read, or its reader leaves. */
async function* watched<T>(messages: AsyncIterable<T>, ended: (error?: unknown) => void): AsyncGenerator<T> {
  let failure: unknown;
  try {
    yield* messages;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    ended(failure);
  }
}
