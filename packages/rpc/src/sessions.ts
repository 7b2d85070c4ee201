import { Code, ConnectError } from "@connectrpc/connect";
import { Http2SessionManager } from "@connectrpc/connect-node";
import dns, { type LookupAddress } from "node:dns";
import type { ClientHttp2Stream } from "node:http2";
import { isIP } from "node:net";
import { flowControlWindowBytes, maxSessionMemory } from "./message-limits.ts";
import type { ProcessTls } from "./tls-files.ts";

export interface ServerAddress {
  /** `http://host:port`, or `https://name:port`. */
  url: string;
  /** PEM; `key` and `cert` if servers ask for a client certificate. Requires https. */
  tls?: ProcessTls | undefined;
}

/** A connection to each address of a name, used round robin. */
export interface Sessions
  extends Pick<Http2SessionManager, "authority" | "request" | "notifyResponseByteRead">, Disposable {
  /** Makes later calls use new connections, at most once per second. In-flight calls end on the old ones. */
  leave(): void;
}

const leastMsBetween = 1_000;
const reopenMs = 250;
const resolvedForMs = 30_000;
const connectAttempts = 3;
/** Milliseconds between checks whether the calls of a left connection have ended. */
const lingerMs = 120_000;
/** A hanging replica is left within fifteen seconds. */
const keepAlive = { pingIntervalMs: 10_000, pingTimeoutMs: 5_000 };

/** Throws for https with an IP address, and http with `tls`. */
export function keepSessions({ url, tls }: ServerAddress): Sessions {
  requireSafe(url, tls);
  const { origin, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const streams = new WeakMap<ClientHttp2Stream, Http2SessionManager>();
  const openedAt = new WeakMap<Http2SessionManager, number>();
  const inFlight = new WeakMap<Http2SessionManager, number>();
  const left = new Map<Http2SessionManager, NodeJS.Timeout>();
  let sessions = new Map<string, Http2SessionManager>();
  let turn = 0;
  let disposed = false;
  let leftAt = Number.NEGATIVE_INFINITY;
  let resolvedAt = Number.NEGATIVE_INFINITY;
  let resolving: Promise<void> | undefined;

  function open({ address, family }: LookupAddress): Http2SessionManager {
    const settings = { initialWindowSize: flowControlWindowBytes };
    const options = { ...tls, settings, maxSessionMemory, lookup: only({ address, family }) };
    return new Http2SessionManager(url, keepAlive, options);
  }

  /** Looks the name up again; at most once per second. */
  function resolve(): Promise<void> {
    if (performance.now() - resolvedAt < leastMsBetween) return resolving ?? Promise.resolve();
    resolvedAt = performance.now();
    return (resolving = lookUp().finally(() => (resolving = undefined)));
  }

  async function lookUp(): Promise<void> {
    const found = await dns.promises.lookup(host, { all: true }).catch(() => []);
    // While names cannot be resolved, the known addresses stay.
    if (disposed || found.length === 0) return;
    const next = new Map(found.map((one) => [one.address, sessions.get(one.address) ?? open(one)]));
    for (const [address, session] of sessions) if (!next.has(address)) linger(session);
    sessions = next;
  }

  function count(session: Http2SessionManager, by: 1 | -1): void {
    inFlight.set(session, (inFlight.get(session) ?? 0) + by);
  }

  /** Closes a left session when its calls have ended: a stream may take hours. */
  function linger(session: Http2SessionManager): void {
    const end = () => {
      if ((inFlight.get(session) ?? 0) > 0) return linger(session);
      left.delete(session);
      session.abort();
    };
    left.set(session, setTimeout(end, lingerMs).unref());
  }

  /** Returns the next open session, round robin. Throws why none can be opened. */
  async function nextOpen(): Promise<Http2SessionManager> {
    if (sessions.size === 0) await resolve();
    const all = [...sessions.values()];
    const ready = all.filter(isOpen);
    // Look up the name again also to find new replicas.
    if (ready.length < all.length || performance.now() - resolvedAt > resolvedForMs) void resolve();
    if (ready.length < all.length) {
      for (const session of all) if (!isOpen(session)) reopen(session);
    }
    if (ready.length > 0) return ready[(turn = (turn + 1) % ready.length)]!;
    return firstToOpen(all);
  }

  /** Opens a session in the background, at most every `reopenMs`. */
  function reopen(session: Http2SessionManager): void {
    const now = performance.now();
    if (now - (openedAt.get(session) ?? Number.NEGATIVE_INFINITY) < reopenMs) return;
    openedAt.set(session, now);
    void session.connect();
  }

  async function firstToOpen(all: readonly Http2SessionManager[]): Promise<Http2SessionManager> {
    const opening = all.map(async (session) => {
      if ((await session.connect()) === "error") throw session.error();
      return session;
    });
    try {
      return await Promise.any(opening);
    } catch (error) {
      const [failure] = (error as AggregateError).errors as unknown[];
      throw failure ?? new ConnectError(`${host} has no address`, Code.Unavailable);
    }
  }

  return {
    authority: origin,
    async request(...given) {
      for (let attempts = connectAttempts; ; attempts -= 1) {
        try {
          const session = await nextOpen();
          const stream = await session.request(...given);
          streams.set(stream, session);
          count(session, 1);
          stream.once("close", () => count(session, -1));
          guard(stream.session);
          return stream;
        } catch (error) {
          // Nothing was sent, so another session or a newly found replica may send it.
          if (attempts <= 1) throw error;
          await resolve();
        }
      }
    },
    notifyResponseByteRead: (stream) => streams.get(stream)?.notifyResponseByteRead(stream),
    leave() {
      if (performance.now() - leftAt < leastMsBetween) return;
      leftAt = performance.now();
      for (const session of sessions.values()) linger(session);
      sessions = new Map();
      resolvedAt = Number.NEGATIVE_INFINITY;
    },
    [Symbol.dispose]() {
      disposed = true;
      for (const timer of left.values()) clearTimeout(timer);
      for (const session of [...sessions.values(), ...left.keys()]) session.abort();
    },
  };
}

const guarded = new WeakSet<object>();

/**
 * A connection that was destroyed, as after a GOAWAY, reports its error a tick later. A request in between makes
 * connect-node remove its listener; without any listener the error would end the process.
 */
function guard(connection: ClientHttp2Stream["session"]): void {
  if (connection === undefined || guarded.has(connection)) return;
  guarded.add(connection);
  connection.on("error", () => undefined);
}

const isOpen = (session: Http2SessionManager): boolean => ["open", "idle"].includes(session.state());

function requireSafe(url: string, tls: ProcessTls | undefined): void {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:") {
    // The peer key and the caller would travel in clear text.
    if (tls) throw new Error(`${url} must be https, because TLS between the processes is configured`);
  } else if (isIP(hostname) || hostname.startsWith("[")) {
    // Otherwise every call would fail as if the service were unavailable.
    throw new Error(`${url} has no host name, against which TLS checks a certificate`);
  }
}

/** A resolver that knows one address. */
function only({ address, family }: LookupAddress) {
  type Found = (error: null, found: string | LookupAddress[], family?: number) => void;
  return (_name: string, { all }: { all?: boolean }, found: Found) =>
    all ? found(null, [{ address, family }]) : found(null, address, family);
}
