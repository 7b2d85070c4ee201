import { Agent, type RequestOptions } from "node:https";
import { createSecureContext, getCACertificates, type TLSSocket } from "node:tls";
import type { Duplex } from "node:stream";
import type { ClientRequest } from "node:http";
import type { AddressPolicy } from "./address-policy.ts";
import { destinationPort } from "./webhook-url.ts";

export interface Target {
  url: URL;
  /** Host name in the certificate; undefined if the host is an address. */
  servername: string | undefined;
  address: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Limit for a connection, with what the receiver renegotiates: each takes time of the processor. */
const MAX_HANDSHAKES = 4;
/** Limit for all endpoints: webhooks to thousands of URLs would keep thousands of sockets. */
const MAX_IDLE = 500;

export interface ConnectionsOptions {
  policy: AddressPolicy;
  extraCa?: string | undefined;
  idleMs: number;
  maxIdle?: number;
}

export interface TargetOptions extends RequestOptions {
  agent: Agent;
  endpoint: string;
}

export interface Connections extends Disposable {
  optionsFor(target: Target): TargetOptions;
  /** Closes the target's idle connections, so the next request opens a new one. */
  closeIdle(target: Target): void;
}

/** Keeps idle connections by URL and checked address, so a hanging endpoint takes no connection from another. */
export function createConnections(options: ConnectionsOptions): Connections {
  const agent = new EndpointAgent(options);
  const optionsFor = ({ url, servername = "", address }: Target): TargetOptions => ({
    agent,
    endpoint: url.href,
    host: address,
    port: destinationPort(url),
    servername,
  });
  return {
    optionsFor,
    closeIdle(target) {
      for (const socket of agent.freeSockets[agent.getName(optionsFor(target))] ?? []) socket.destroy();
    },
    [Symbol.dispose]: () => agent.close(),
  };
}

/** Opens TLS connections and checks the peer's address before a request is written. */
class EndpointAgent extends Agent {
  readonly #policy: AddressPolicy;
  readonly #maxIdle: number;
  readonly #connecting = new Set<Duplex>();
  /** In the order in which they became idle. */
  readonly #idle = new Set<Duplex>();

  constructor({ policy, extraCa, idleMs, maxIdle = MAX_IDLE }: ConnectionsOptions) {
    super({
      keepAlive: true,
      timeout: idleMs,
      maxFreeSockets: maxIdle,
      ALPNProtocols: ["http/1.1"],
      // Shared, because reading all trusted certificates takes milliseconds.
      secureContext: createSecureContext({
        minVersion: "TLSv1.2",
        ...(extraCa === undefined ? {} : { ca: [...getCACertificates("default"), extraCa] }),
      }),
    });
    this.#policy = policy;
    this.#maxIdle = maxIdle;
  }

  override getName(options?: RequestOptions & { endpoint?: string }): string {
    return `${options?.endpoint} ${options?.host}`;
  }

  override createConnection(
    options: RequestOptions,
    callback: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const socket = super.createConnection(options) as TLSSocket;
    this.#connecting.add(socket);
    const timer = setTimeout(() => socket.destroy(lateConnection()), CONNECT_TIMEOUT_MS);
    const answer = (error: Error | null) => {
      if (!this.#connecting.delete(socket)) return;
      clearTimeout(timer);
      callback(error, error === null ? socket : undefined);
    };
    socket.on("error", answer);
    socket.once("secureConnect", () => {
      const isPermitted = this.#policy.permits(socket.remoteAddress ?? "", Number(options.port));
      if (isPermitted) answer(null);
      else socket.destroy(new Error("the peer's address may not be reached"));
    });
    let handshakes = 0;
    socket.on("secureConnect", () => {
      handshakes += 1;
      if (handshakes > MAX_HANDSHAKES) socket.destroy(new Error("the receiver renegotiates TLS again and again"));
    });
    socket.once("close", () => this.#idle.delete(socket));
    return undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    // The declared type lacks the return value: false if the receiver's `Keep-Alive` header leaves no time.
    const may: unknown = super.keepSocketAlive(socket);
    if (may === false) return false;
    this.#idle.add(socket);
    if (this.#idle.size > this.#maxIdle) this.#idle.values().next().value?.destroy();
    return true;
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    this.#idle.delete(socket);
    super.reuseSocket(socket, request);
  }

  close(): void {
    this.destroy();
    for (const socket of this.#connecting) socket.destroy(new Error("the sender is closed"));
  }
}

function lateConnection(): Error {
  return Object.assign(new Error("the connection was not made in time"), { code: "ETIMEDOUT" });
}
