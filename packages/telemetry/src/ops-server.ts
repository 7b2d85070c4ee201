import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import { SilentRegistry } from "./instruments.ts";

/** True if the dependency responds. A check that fails or takes over a second counts as false. */
export type Checks = Record<string, () => Promise<boolean>>;

export interface OpsServerOptions {
  host: string;
  port: number;
  metrics: Registry;
  checks: Checks;
  /** How long a stopping process keeps serving, so that load balancers notice. Default: not at all. */
  drainDelayMs?: number;
}

export interface OpsServer extends AsyncDisposable {
  url: string;
  /** Makes `/readyz` fail, and resolves after the drain delay. Until then the process keeps serving. */
  beginDrain(): Promise<void>;
}

/** Serves `/livez`, `/readyz` and `/metrics` (contract 9.3) on a separate port. */
export async function startOpsServer(options: OpsServerOptions): Promise<OpsServer> {
  const { host, port, metrics, checks, drainDelayMs = 0 } = options;
  let draining = false;
  const server = createServer((request, response) => {
    void respond(request.url ?? "", response);
  });

  async function respond(url: string, response: ServerResponse): Promise<void> {
    const { status, type, body } = await answer(url);
    response.writeHead(status, { "content-type": type }).end(body);
  }

  async function answer(url: string): Promise<Answer> {
    if (url === "/livez") return json(200, { status: "ok" });
    if (url === "/metrics") return exposition(metrics);
    if (url !== "/readyz") return json(404, { status: "not found" });
    const results = await runChecks(checks);
    const ready = !draining && Object.values(results).every(Boolean);
    return json(ready ? 200 : 503, { status: draining ? "draining" : ready ? "ok" : "unavailable", checks: results });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    beginDrain: async () => {
      draining = true;
      if (drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, drainDelayMs));
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = { status: number; type: string; body: string };

async function exposition(metrics: Registry): Promise<Answer> {
  if (metrics instanceof SilentRegistry) return json(404, { status: "off" });
  return { status: 200, type: metrics.contentType, body: await metrics.metrics() };
}

/** Runs all checks at once. Returns the results by name. */
export async function runChecks(checks: Checks): Promise<Record<string, boolean>> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await isPassing(check)] as const),
  );
  return Object.fromEntries(entries);
}

async function isPassing(check: () => Promise<boolean>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, 1000, false);
  try {
    return await Promise.race([check().catch(() => false), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function json(status: number, body: unknown): Answer {
  return { status, type: "application/json", body: JSON.stringify(body) };
}
