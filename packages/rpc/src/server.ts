import type { AppError } from "@canvass/errors";
import type { Checks, Logger, Registry } from "@canvass/telemetry";
import { createContextValues, type ConnectRouter } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { fastify, type FastifyInstance } from "fastify";
import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { accessInterceptor, type AccessOptions } from "./access-interceptor.ts";
import { boundedResponse } from "./bounded-response.ts";
import { loggerKey, peerAddressKey } from "./call.ts";
import { errorInterceptor } from "./error-interceptor.ts";
import { fairShareInterceptor } from "./fair-share-interceptor.ts";
import { registerHealth } from "./health.ts";
import { maxMessageBytes, maxSessionMemory, maxUnreadBytes } from "./message-limits.ts";
import { metricsInterceptor } from "./metrics-interceptor.ts";
import { peerAddress } from "./peer-address.ts";

export interface RpcServerOptions extends AccessOptions {
  host: string;
  /** 0: any free port. */
  port: number;
  routes: (router: ConnectRouter) => void;
  checks: Checks;
  log: Logger;
  metrics: Registry;
  /** Names foreign errors in terms of the catalogue. */
  recogniseError?: (error: unknown) => AppError | undefined;
  /** Serve TLS instead of clear text; with `ca`, clients must show a certificate it signed. PEM. */
  tls?: { key: string; cert: string; ca?: string } | undefined;
  /** Connections are asked to leave after about this long, so that clients meet new replicas. Default five minutes. */
  maxConnectionAgeMs?: number;
  /** Connections of the service's database pool, which workspaces share fairly. Default ten. */
  databasePool?: number | undefined;
  /** How long calls under way may still take when the server stops. Default ten seconds. */
  drainMs?: number;
  /** Bytes of large answers that wait to be read; more are refused. Default 256 MiB. */
  maxUnreadBytes?: number;
}

export interface RpcServer extends AsyncDisposable {
  url: string;
}

const usualPool = 10;

/** Starts a Connect server (gRPC and Connect protocol) on Fastify over HTTP/2. Disposing drains it. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { host, port, routes, checks, log, metrics, tls, drainMs = 10_000, maxConnectionAgeMs = 300_000 } = options;
  const serviceNames = new Set<string>();
  const stopping = new AbortController();
  const server = createServer(tls, options.maxUnreadBytes ?? maxUnreadBytes);
  const sessions = trackSessions(server.server as unknown as Http2Server, maxConnectionAgeMs);

  await server.register(fastifyConnectPlugin, {
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    maxTimeoutMs: 120_000,
    shutdownTimeoutMs: drainMs,
    interceptors: [
      metricsInterceptor(metrics),
      errorInterceptor(log, options.recogniseError ?? (() => undefined)),
      accessInterceptor(options),
      fairShareInterceptor(metrics, options.databasePool ?? usualPool),
    ],
    contextValues: ({ socket }) => createContextValues().set(loggerKey, log).set(peerAddressKey, peerAddress(socket)),
    routes: (router) => {
      routes(router);
      for (const handler of router.handlers) serviceNames.add(handler.service.typeName);
    },
  });
  // Health stands apart: it needs no proof, and its definition is not ours to annotate.
  await server.register(fastifyConnectPlugin, {
    grpcWeb: false,
    acceptCompression: [],
    shutdownSignal: stopping.signal,
    routes: (router) => registerHealth(router, serviceNames, checks),
  });
  await server.listen({ host, port });
  const { port: boundPort } = server.server.address() as AddressInfo;

  return {
    url: `${tls ? "https" : "http"}://${host}:${boundPort}`,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      const forced = setTimeout(() => sessions.forEach((session) => session.destroy()), drainMs);
      sessions.forEach((session) => session.close());
      await server.close();
      clearTimeout(forced);
    },
  };
}

// Fastify types an HTTP/2 server as a kind of its own, which no plugin accepts; at run time they are one.
function createServer(tls: RpcServerOptions["tls"], unreadBytes: number): FastifyInstance {
  const settings = { maxSessionMemory, Http2ServerResponse: boundedResponse(unreadBytes) };
  const options = tls
    ? { http2: true, https: { ...settings, ...tls, requestCert: Boolean(tls.ca), rejectUnauthorized: true } }
    : { http2: true, http: settings };
  return fastify(options as object);
}

/** Keeps the open sessions, and lets each one end gracefully (GOAWAY) at about the maximum age. */
function trackSessions(server: Http2Server, maxAgeMs: number): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    // Spread by a tenth, so that a restart of all clients does not come back as a wave.
    const age = setTimeout(() => session.close(), maxAgeMs * (0.9 + 0.2 * Math.random())).unref();
    session.on("close", () => {
      clearTimeout(age);
      sessions.delete(session);
    });
  });
  return sessions;
}
