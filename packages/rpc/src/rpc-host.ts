import { callerPublicKey, createCallerVerifier } from "@canvass/access";
import { startOpsServer, watchEventLoop, type serviceEnvironment } from "@canvass/telemetry";
import type { Static, TObject } from "typebox";
import { startRpcServer, type RpcServerOptions } from "./server.ts";
import { readTlsFiles } from "./tls-files.ts";

export type ServiceConfig = Static<TObject<typeof serviceEnvironment>>;

export interface RpcHostOptions extends Pick<
  RpcServerOptions,
  "routes" | "checks" | "log" | "metrics" | "recognizeError" | "operatorKey" | "databasePool" | "macBody"
> {
  config: ServiceConfig;
  now: () => Date;
}

export interface RpcHost extends AsyncDisposable {
  url: string;
  opsUrl: string;
}

/** Starts the RPC and operations servers. Disposing fails `/readyz` first, then drains in-flight calls. */
export async function startRpcHost({ config, now, ...server }: RpcHostOptions): Promise<RpcHost> {
  await using starting = new AsyncDisposableStack();
  const rpc = starting.use(
    await startRpcServer({
      ...server,
      host: config.CANVASS_RPC_HOST,
      port: config.CANVASS_RPC_PORT,
      peerKey: config.CANVASS_PEER_KEY,
      verifyCaller: createCallerVerifier(callerPublicKey(config.CANVASS_CALLER_PUBLIC_KEY), now),
      tls: serverTls(config),
    }),
  );
  const ops = await startOpsServer({
    host: config.CANVASS_OPS_HOST,
    port: config.CANVASS_OPS_PORT,
    metrics: server.metrics,
    checks: server.checks,
    drainDelayMs: config.CANVASS_DRAIN_DELAY_MS,
  });
  const loop = watchEventLoop(server.metrics);
  const running = starting.move();
  return {
    url: rpc.url,
    opsUrl: ops.url,
    [Symbol.asyncDispose]: async () => {
      loop[Symbol.dispose]();
      await ops.beginDrain();
      await running.disposeAsync();
      await ops[Symbol.asyncDispose]();
    },
  };
}

function serverTls(config: ServiceConfig): RpcServerOptions["tls"] {
  const { key, cert, ca } = readTlsFiles(config) ?? {};
  return key && cert ? { key, cert, ...(ca && { ca }) } : undefined;
}
