import { setTimeout as delay } from "node:timers/promises";
import type { System } from "@canvass/dev-env";
import { OperatorService } from "@canvass/proto/token";
import { createRpcClient, type RpcClient } from "@canvass/rpc";

const passing = new Set<unknown>(["service_unavailable", "deadline_exceeded", "rate_limited"]);
const patienceMs = 30_000;

/** Connects an operator's client to a running system's token service. It sends each call once. */
export function connectWithoutRetries({
  rpcUrl,
  keys,
}: Pick<System, "rpcUrl" | "keys">): RpcClient<typeof OperatorService> {
  return createRpcClient(OperatorService, { url: rpcUrl("token"), operatorKey: keys.operatorKey });
}

/** Connects an operator's client that repeats each call while the service is unavailable. */
export function connectOperator(system: Pick<System, "rpcUrl" | "keys">): RpcClient<typeof OperatorService> {
  const client = connectWithoutRetries(system);
  const calls = Object.entries(client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>);
  const repeated = calls.map(([name, call]) => [name, (...given: unknown[]) => untilAnswered(() => call(...given))]);
  return Object.assign(client, Object.fromEntries(repeated));
}

/** Repeats `ask` while the service is unavailable, too slow or busy, for up to 30 seconds. Throws its last error. */
export async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!passing.has((error as { code?: unknown }).code) || performance.now() > end) throw error;
      await delay(500);
    }
  }
}
