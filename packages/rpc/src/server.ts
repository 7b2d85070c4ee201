import type { AppError } from "@canvass/errors";
import type { Checks, Logger, Registry } from "@canvass/telemetry";
import { createContextValues, type ConnectRouter, type Interceptor } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { fastify, type FastifyInstance } from "fastify";
import type { Http2Server, ServerHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { accessGate, type AccessOptions } from "./access-gate.ts";
import { boundedRequest } from "./bounded-request.ts";
import { boundedResponse } from "./bounded-response.ts";
import { loggerKey, macBodyKey, peerAddressKey, type MacBody } from "./call.ts";
import { errorInterceptor } from "./error-interceptor.ts";
import { fairShareInterceptor } from "./fair-share-interceptor.ts";
import { registerHealth } from "./health.ts";
import {
  longestCallMs,
  maxConcurrentStreams,
  maxMessageBytes,
  maxReceivedBytes,
  maxSessionMemory,
  maxUnreadBytes,
} from "./message-limits.ts";
import { metricsInterceptor } from "./metrics-interceptor.ts";
import { peerAddress } from "./peer-address.ts";
import { createBodyBudget } from "./body-budget.ts";
import { tracingInterceptor } from "./tracing-interceptor.ts";
import { createUnreadResponses } from "./unread-responses.ts";

export interface RpcServerOptions extends AccessOptions {
  host: string;
  port: number;
  routes: (router: ConnectRouter) => void;
  checks: Checks;
  log: Logger;
  metrics: Registry;
  recognizeError?: (error: unknown) => AppError | undefined;
  macBody?: MacBody | undefined;
  /** PEM; with `ca`, clients must present a certificate it signed. */
  tls?: { key: string; cert: string; ca?: string } | undefined;
  /** After this time, clients reconnect and find new replicas. Default five minutes. */
  maxConnectionAgeMs?: number;
  /** Number of database connections, which workspaces share fairly. Default ten. */
  databasePool?: number | undefined;
  drainMs?: number;
  maxUnreadBytes?: number;
  maxReceivedBytes?: number;
  /** Time limit for a body to arrive, and for a call. Default two minutes. */
  maxTimeoutMs?: number;
}

export interface RpcServer extends AsyncDisposable {
  url: string;
}

const usualPool = 10;
const healthRequestBytes = 4096;

/** Serves gRPC and the Connect protocol on Fastify over HTTP/2. Disposing drains it. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { host, port, routes, checks, log, metrics, tls, drainMs = 10_000, maxConnectionAgeMs = 300_000 } = options;
  const { maxTimeoutMs = longestCallMs } = options;
  const serviceNames = new Set<string>();
  const stopping = new AbortController();
  const unread = createUnreadResponses(options.maxUnreadBytes ?? maxUnreadBytes);
  const bodies = createBodyBudget(options.maxReceivedBytes ?? maxReceivedBytes);
  const streamed = new Set<string>();
  const server = createServer(tls, {
    Http2ServerRequest: boundedRequest(bodies, maxTimeoutMs, (path) => streamed.has(path)),
    Http2ServerResponse: boundedResponse(unread),
  });
  const sessions = trackSessions(server.server as unknown as Http2Server, maxConnectionAgeMs);

  const interceptors: Interceptor[] = [
    tracingInterceptor,
    metricsInterceptor(metrics),
    errorInterceptor(log, options.recognizeError ?? (() => undefined)),
    fairShareInterceptor(metrics, options.databasePool ?? usualPool),
  ];
  const contextValues = ({ socket }: { socket: Socket }) =>
    createContextValues().set(loggerKey, log).set(peerAddressKey, peerAddress(socket)).set(macBodyKey, options.macBody);
  const gate = accessGate(options, metrics);

  await server.register(fastifyConnectPlugin, {
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: maxMessageBytes,
    writeMaxBytes: maxMessageBytes,
    maxTimeoutMs,
    shutdownTimeoutMs: drainMs,
    requestGate: ({ method, requestHeader, values }) => gate(method, (name) => requestHeader.get(name), values),
    interceptors,
    contextValues,
    routes: (router) => {
      routes(router);
      for (const { service, method, requestPath } of router.handlers) {
        serviceNames.add(service.typeName);
        if (method.methodKind === "client_streaming") streamed.add(requestPath);
      }
    },
  });
  // Health needs no access check; its third-party definition cannot declare one.
  await server.register(fastifyConnectPlugin, {
    grpcWeb: false,
    acceptCompression: [],
    readMaxBytes: healthRequestBytes,
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

// Plugins do not accept Fastify's type of an HTTP/2 server.
function createServer(tls: RpcServerOptions["tls"], classes: object): FastifyInstance {
  const settings = { maxSessionMemory, settings: { maxConcurrentStreams }, ...classes };
  const options = tls
    ? { http2: true, https: { ...settings, ...tls, requestCert: Boolean(tls.ca), rejectUnauthorized: true } }
    : { http2: true, http: settings };
  return fastify(options as object);
}

function trackSessions(server: Http2Server, maxAgeMs: number): Set<ServerHttp2Session> {
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session: ServerHttp2Session) => {
    sessions.add(session);
    // Ends gracefully (GOAWAY), with jitter of a tenth, so that clients do not reconnect at the same time.
    const age = setTimeout(() => session.close(), maxAgeMs * (0.9 + 0.2 * Math.random())).unref();
    session.on("close", () => {
      clearTimeout(age);
      sessions.delete(session);
    });
  });
  return sessions;
}
