import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createCallerVerifier, newCaller, signCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { TokenService } from "@canvass/proto/token";
import { createLogger, createMetrics } from "@canvass/telemetry";
import type { ServiceImpl } from "@connectrpc/connect";
import { generateKeyPairSync } from "node:crypto";
import { startRpcServer, type RpcServer, type RpcServerOptions } from "../src/index.ts";

const keys = generateKeyPairSync("ed25519");
/** Callers are signed when this module loads, once for all test files of a worker, so they must not expire. */
const never = timestampFromDate(new Date("2100-01-01T00:00:00Z"));
export const signedFor = (workspaceId: string): string =>
  signCaller(newCaller({ workspaceId, expiresAt: never }), keys.privateKey);
export const signedCaller = signedFor("w1");

/** A real server of the token service's contract. Its handlers' error "no database" becomes service_unavailable. */
export function startTokenServer(
  implementation: Partial<ServiceImpl<typeof TokenService>>,
  options: Partial<RpcServerOptions> = {},
): Promise<RpcServer> {
  return startRpcServer({
    host: "127.0.0.1",
    port: 0,
    log: createLogger({ service: "test", level: "silent" }),
    metrics: createMetrics("test"),
    verifyCaller: createCallerVerifier(keys.publicKey, () => new Date()),
    peerKey: "peer",
    checks: {},
    recognizeError: (error) =>
      error instanceof Error && error.message === "no database" ? new AppError("service_unavailable") : undefined,
    routes: (router) => {
      router.service(TokenService, implementation);
    },
    ...options,
  });
}

/** The code of the AppError a call ends with, any other error as text; "fine" when it succeeds. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "fine",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}
