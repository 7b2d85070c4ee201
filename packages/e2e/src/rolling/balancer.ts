import { setTimeout as delay } from "node:timers/promises";
import { createApiClient, type ApiClient } from "../api-client.ts";
import type { Replica } from "./replicas.ts";

/** Sends requests to the ready gateways in turn, as a load balancer does. Never repeats a request. */
export interface Balancer extends AsyncDisposable {
  /** Creates a client with the given token. */
  client(token: string): Pick<ApiClient, "call">;
}

const POLL_MS = 200;

export function balance(gateways: readonly Replica[]): Balancer {
  const stopping = new AbortController();
  const clients: ApiClient[] = [];
  let ready = [...gateways];
  let turn = 0;

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const results = await Promise.all(gateways.map(isReady));
      ready = gateways.filter((_gateway, index) => results[index]);
      await delay(POLL_MS);
    }
  }

  const watching = watch();
  return {
    client(token) {
      const byUrl = new Map<string, ApiClient>();
      const clientOf = (url: string): ApiClient => {
        const client = byUrl.get(url) ?? createApiClient(url, token);
        if (!byUrl.has(url)) clients.push(client);
        byUrl.set(url, client);
        return client;
      };
      return {
        call: (method, path, options) => {
          const all = ready.length > 0 ? ready : gateways;
          const gateway = all[(turn += 1) % all.length]!;
          return clientOf(gateway.baseUrl).call(method, path, options);
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await watching;
      await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    },
  };
}

async function isReady({ opsUrl }: Replica): Promise<boolean> {
  const answer = await fetch(`${opsUrl}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok ?? false;
}
