import { callerPublicKey, createCallerVerifier } from "@canvass/access";
import { startOpsServer, watchEventLoop, type serviceEnvironment } from "@canvass/telemetry";
import type { Static, TObject } from "typebox";
import { startRpcServer, type RpcServerOptions } from "./server.ts";
import { readTlsFiles, type ProcessTls } from "./tls-files.ts";

/** The variables every service reads the same way, as `readConfig` gives them. */
export type ServiceConfig = Static<TObject<typeof serviceEnvironment>>;

export interface RpcHostOptions extends Pick<
  RpcServerOptions,
  "routes" | "checks" | "log" | "metrics" | "recogniseError" | "operatorKey" | "databasePool"
> {
  config: ServiceConfig;
  now: () => Date;
}

export interface RpcHost extends AsyncDisposable {
  url: string;
  opsUrl: string;
}

/**
 * What every service shows to the outside: its RPC server and its operations server, from the shared part of its
 * configuration. Disposing first turns `/readyz` to no, then drains calls under way.
 */
export async function startRpcHost({ config, now, ...server }: RpcHostOptions): Promise<RpcHost> {
  const rpc = await startRpcServer({
    ...server,
    host: config.CANVASS_RPC_HOST,
    port: config.CANVASS_RPC_PORT,
    peerKey: config.CANVASS_PEER_KEY,
    verifyCaller: createCallerVerifier(callerPublicKey(config.CANVASS_CALLER_PUBLIC_KEY), now),
    tls: serverTls(config),
  });
  const ops = await startOpsServer({
    host: config.CANVASS_OPS_HOST,
    port: config.CANVASS_OPS_PORT,
    metrics: server.metrics,
    checks: server.checks,
  });
  const loop = watchEventLoop(server.metrics);
  return {
    url: rpc.url,
    opsUrl: ops.url,
    [Symbol.asyncDispose]: async () => {
      loop[Symbol.dispose]();
      ops.beginDrain();
      await rpc[Symbol.asyncDispose]();
      await ops[Symbol.asyncDispose]();
    },
  };
}

function serverTls(config: ServiceConfig): RpcServerOptions["tls"] {
  const { key, cert, ca } = readTlsFiles(config) ?? {};
  return key && cert ? { key, cert, ...(ca && { ca }) } : undefined;
}

/** TLS for clients of other services; undefined when the processes speak clear text. Throws as readTlsFiles does. */
export function clientTls(config: ServiceConfig): ProcessTls | undefined {
  return readTlsFiles(config);
}
