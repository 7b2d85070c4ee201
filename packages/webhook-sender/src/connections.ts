import { createSecureContext, getCACertificates } from "node:tls";
import { buildConnector, Client } from "undici";
import type { AddressPolicy } from "./address-policy.ts";

/** Where a connection leads. */
export interface Target {
  /** Scheme, host and port, as the Host header names them. */
  origin: string;
  /** For the certificate; undefined when the host is an address. */
  servername: string | undefined;
  /** The vetted address to connect to. */
  address: string;
}

/** One TLS connection to one vetted address; undici opens it with the first request, and anew when it was closed since. */
export interface Connection {
  readonly client: Client;
  /** It has served before, so the other end may have closed it since. */
  kept: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Bytes of an answer's headers, and of its body, that are read at most (contract 8.8). */
export const READ_BYTES = 64 * 1024;

export interface Connections extends AsyncDisposable {
  /** An idle connection to the target, or a new one. */
  take(target: Target): Connection;
  /** The request on it is over and the connection is still good. */
  giveBack(connection: Connection): void;
  /** Ends the connection, and with it a request under way. */
  discard(connection: Connection): void;
}

export interface ConnectionsOptions {
  policy: AddressPolicy;
  /** Certificates in PEM that are trusted besides the usual ones. */
  extraCa?: string | undefined;
  /** Milliseconds an idle connection is kept for the next request. */
  idleMs: number;
}

/**
 * Keeps idle connections by origin and address. A connection is found again only under an address that was vetted
 * for the request at hand, so one that a name no longer leads to, or may no longer lead to, is never used again.
 */
export function createConnections({ policy, extraCa, idleMs }: ConnectionsOptions): Connections {
  const idle = new Map<string, Connection[]>();
  const keys = new WeakMap<Connection, string>();
  const open = new Set<Connection>();
  const connect = createConnector(policy, extraCa);

  function create({ origin, servername, address }: Target, key: string): Connection {
    const named = servername === undefined ? {} : { servername };
    const client = new Client(origin, {
      connect: (options, callback) => connect({ ...options, ...named, hostname: address }, callback),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // The status line decides, so what comes behind it may be as long as bodies are read (contract 8.8).
      maxHeaderSize: READ_BYTES,
      // The sender keeps one budget for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { client, kept: false };
    keys.set(connection, key);
    open.add(connection);
    client.on("disconnect", () => forget(connection, key));
    return connection;
  }

  /** An idle connection that ended is not worth keeping. */
  function forget(connection: Connection, key: string): void {
    const kept = idle.get(key);
    const at = kept?.indexOf(connection) ?? -1;
    if (kept === undefined || at < 0) return;
    kept.splice(at, 1);
    if (kept.length === 0) idle.delete(key);
    discard(connection);
  }

  function discard(connection: Connection): void {
    open.delete(connection);
    void connection.client.destroy().catch(() => undefined);
  }

  return {
    take(target) {
      const key = `${target.origin} ${target.address}`;
      return idle.get(key)?.pop() ?? create(target, key);
    },
    giveBack(connection) {
      connection.kept = true;
      const key = keys.get(connection)!;
      const kept = idle.get(key);
      if (kept) kept.push(connection);
      else idle.set(key, [connection]);
    },
    discard,
    async [Symbol.asyncDispose]() {
      idle.clear();
      await Promise.all([...open].map(({ client }) => client.destroy().catch(() => undefined)));
    },
  };
}

/** TLS to an address, in the name of the host; the peer is checked again once the connection stands. */
function createConnector(policy: AddressPolicy, extraCa: string | undefined): buildConnector.connector {
  // Made once: reading all trusted certificates for each connection would cost milliseconds.
  const secureContext = createSecureContext({
    minVersion: "TLSv1.2",
    ...(extraCa === undefined ? {} : { ca: [...getCACertificates("default"), extraCa] }),
  });
  const connect = buildConnector({
    allowH2: false,
    // The sender's budget decides; this only frees sockets whose connection never came to be.
    timeout: CONNECT_TIMEOUT_MS,
    secureContext,
    rejectUnauthorized: true,
  });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error || !socket) return callback(error ?? new Error("no connection"), null);
      if (policy.permits(socket.remoteAddress ?? "", Number(options.port || 443))) return callback(null, socket);
      socket.destroy();
      callback(new Error("the peer's address may not be reached"), null);
    });
}
