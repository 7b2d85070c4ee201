import { createCallerVerifier } from "@canvass/access";
import { startRpcServer, type RpcServer, type RpcServerOptions } from "@canvass/rpc";
import { createLogger, createMetrics } from "@canvass/telemetry";
import { testKeys } from "./keys.ts";

/** A stand-in for another service that answers from `routes`. */
export function startDouble(
  routes: RpcServerOptions["routes"],
  { now = () => new Date() }: { now?: () => Date } = {},
): Promise<RpcServer> {
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: createLogger({ service: "double", level: "silent" }),
    metrics: createMetrics("double"),
    verifyCaller: createCallerVerifier(testKeys.callerPublicKey, now),
    peerKey: testKeys.peerKey,
    checks: {},
    drainMs: 100,
    routes,
  });
}
