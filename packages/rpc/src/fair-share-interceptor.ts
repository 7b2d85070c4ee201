import { Access } from "@canvass/proto/access";
import { Gauge, type Registry } from "@canvass/telemetry";
import type { Interceptor } from "@connectrpc/connect";
import { beginStream } from "./begin-stream.ts";
import { callerKey } from "./call.ts";
import { createFairQueue } from "./fair-queue.ts";
import { accessOf } from "./method-access.ts";

const perWorkspace = 2;
/** With heavy calls, about as many as their deadline allows. */
const mostWaiting = 200;
/** Database connections for work that no person waits for. */
const leftOver = 1;

/**
 * Workspaces take turns with their people's calls (round robin). Batches do not wait, nor do methods whose calls share
 * their database work (`grouped`). A stream holds its slot until its first message. Runs after the access check.
 */
export function fairShareInterceptor(registry: Registry, databasePool: number): Interceptor {
  const together = Math.max(1, databasePool - leftOver);
  const queue = createFairQueue({ perOwner: Math.min(perWorkspace, together), together, mostWaiting });
  const waiting = new Gauge({
    name: "rpc_server_calls_waiting",
    help: "Calls that wait for their workspace's turn",
    registers: [],
    collect() {
      this.set(queue.waiting);
    },
  });
  registry.registerMetric(waiting);
  return (next) => (request) => {
    const of = accessOf(request.method);
    const waits = of.access === Access.CALLER && !of.grouped;
    if (!waits) return next(request);
    return queue.run(request.contextValues.get(callerKey)!.workspaceId, request.signal, async () => {
      const response = await next(request);
      return response.stream ? { ...response, message: await beginStream(response.message) } : response;
    });
  };
}
