import { callerPublicKey, createCallerVerifier } from "@canvass/access";
import { startOpsServer, type serviceEnvironment } from "@canvass/telemetry";
import { readFileSync } from "node:fs";
import type { Static, TObject } from "typebox";
import { startRpcServer, type RpcServerOptions } from "./server.ts";

/** The variables every service reads the same way, as `readConfig` gives them. */
export type ServiceConfig = Static<TObject<typeof serviceEnvironment>>;

export interface RpcHostOptions extends Pick<
  RpcServerOptions,
  "routes" | "checks" | "log" | "metrics" | "recogniseError" | "operatorKey"
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
  return {
    url: rpc.url,
    opsUrl: ops.url,
    [Symbol.asyncDispose]: async () => {
      ops.beginDrain();
      await rpc[Symbol.asyncDispose]();
      await ops[Symbol.asyncDispose]();
    },
  };
}

function serverTls(config: ServiceConfig): RpcServerOptions["tls"] {
  const { CANVASS_TLS_KEY_FILE: keyFile, CANVASS_TLS_CERT_FILE: certFile, CANVASS_TLS_CA_FILE: caFile } = config;
  if (!keyFile || !certFile) return undefined;
  return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8"), ...readCa(caFile) };
}

/** TLS for clients of other services; undefined when the processes speak clear text. */
export function clientTls(config: ServiceConfig): { ca?: string; key?: string; cert?: string } | undefined {
  const server = serverTls(config);
  return server ?? readCa(config.CANVASS_TLS_CA_FILE);
}

function readCa(file: string | undefined): { ca: string } | undefined {
  return file ? { ca: readFileSync(file, "utf8") } : undefined;
}
