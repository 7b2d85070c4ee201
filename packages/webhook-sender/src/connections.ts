import { createSecureContext, getCACertificates } from "node:tls";
import { buildConnector, Client } from "undici";
import type { AddressPolicy } from "./address-policy.ts";

export interface Target {
  url: URL;
  /** For the certificate; undefined when the host is an address. */
  servername: string | undefined;
  /** The vetted address to connect to. */
  address: string;
}

/** A TLS connection to one vetted address; undici opens and reopens it on demand. */
export interface Connection {
  readonly client: Client;
  /** Used before, so the receiver may have closed it. */
  kept: boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** In all: endpoints at thousands of URLs in ten seconds would keep thousands of sockets. */
export const MAX_IDLE = 500;
/** For headers and for the body (contract 8.8). */
export const READ_BYTES = 64 * 1024;

export interface Connections extends AsyncDisposable {
  take(target: Target): Connection;
  /** Returns a reusable connection to the pool. */
  giveBack(connection: Connection): void;
  discard(connection: Connection): void;
}

export interface ConnectionsOptions {
  policy: AddressPolicy;
  /** PEM; trusted in addition to the usual authorities. */
  extraCa?: string | undefined;
  idleMs: number;
}

/**
 * Pools idle connections by URL and vetted address: an address that is no longer permitted is not used again, and one
 * endpoint that hangs takes no connection from another at the same host. Of too many idle ones the least recently used endpoint's go.
 */
export function createConnections({ policy, extraCa, idleMs }: ConnectionsOptions): Connections {
  const idle = new Map<string, Connection[]>();
  const keys = new WeakMap<Connection, string>();
  const open = new Set<Connection>();
  const connect = createConnector(policy, extraCa);
  let idleCount = 0;

  function create({ url, servername, address }: Target, key: string): Connection {
    const named = servername === undefined ? {} : { servername };
    const client = new Client(url.origin, {
      connect: (options, callback) => connect({ ...options, ...named, hostname: address }, callback),
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      // Long headers are no failure, because the status line decides (contract 8.8).
      maxHeaderSize: READ_BYTES,
      // The sender's own time limit covers all steps.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const connection: Connection = { client, kept: false };
    keys.set(connection, key);
    open.add(connection);
    client.on("disconnect", () => forget(connection, key));
    return connection;
  }

  /** Returns whether it was idle. */
  function takeOut(connection: Connection, key: string): boolean {
    const kept = idle.get(key);
    const at = kept?.lastIndexOf(connection) ?? -1;
    if (kept === undefined || at < 0) return false;
    kept.splice(at, 1);
    if (kept.length === 0) idle.delete(key);
    idleCount -= 1;
    return true;
  }

  function forget(connection: Connection, key: string): void {
    if (takeOut(connection, key)) discard(connection);
  }

  function discard(connection: Connection): void {
    open.delete(connection);
    void connection.client.destroy().catch(() => undefined);
  }

  return {
    take(target) {
      const key = `${target.url.href} ${target.address}`;
      const connection = idle.get(key)?.at(-1);
      if (connection === undefined) return create(target, key);
      takeOut(connection, key);
      return connection;
    },
    giveBack(connection) {
      connection.kept = true;
      const key = keys.get(connection)!;
      const kept = idle.get(key) ?? [];
      kept.push(connection);
      // Last in the order of endpoints.
      idle.delete(key);
      idle.set(key, kept);
      idleCount += 1;
      if (idleCount <= MAX_IDLE) return;
      for (const [oldest, [unused]] of idle) return forget(unused!, oldest);
    },
    discard,
    async [Symbol.asyncDispose]() {
      idle.clear();
      await Promise.all([...open].map(({ client }) => client.destroy().catch(() => undefined)));
    },
  };
}

/** Connects by TLS to an address, with the host's name; checks the peer's address again. */
function createConnector(policy: AddressPolicy, extraCa: string | undefined): buildConnector.connector {
  // Once: reading all trusted certificates takes milliseconds.
  const secureContext = createSecureContext({
    minVersion: "TLSv1.2",
    ...(extraCa === undefined ? {} : { ca: [...getCACertificates("default"), extraCa] }),
  });
  const connect = buildConnector({
    allowH2: false,
    // The sender's time limit decides; this closes sockets that never connected.
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
