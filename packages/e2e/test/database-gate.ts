import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { endsRequest, frameReader, readyState, startupDatabase, statementSpotter } from "./postgres-frames.ts";

/** A proxy before PostgreSQL that can hold a keyed write between two steps of its transaction. */
export interface DatabaseGate extends AsyncDisposable {
  /** The server's address through the gate. */
  url: string;
  /**
   * Holds the database's next keyed write after this many steps, of which the first one claims the key: the gate keeps
   * its last response and all later requests. Holds one write at a time.
   */
  arm(database: string, steps: number): ArmedGate;
}

export interface ArmedGate {
  /** Resolves when the write is held. Never resolves if the write has fewer steps. */
  held: Promise<HeldWrite>;
  disarm(): void;
}

export interface HeldWrite {
  /** Whether the last step ended the transaction. */
  ended: boolean;
  /** Releases the write. */
  release(): void;
  /** Breaks the write's connection, so that later steps never happen. */
  drop(): void;
}

interface Trap {
  steps: number;
  spring: (write: HeldWrite) => void;
}

// First statement of every keyed write (packages/postgres, claim-idempotency-keys.ts).
const claim = "pg_try_advisory_xact_lock(wanted.lock)";

/** Opens a gate on loopback. Disposing closes it with all connections. */
export async function openDatabaseGate(serverUrl: string): Promise<DatabaseGate> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  /** Keyed by database. */
  const traps = new Map<string, Trap>();
  const takeTrap = (database = ""): Trap | undefined => {
    const taken = traps.get(database);
    traps.delete(database);
    return taken;
  };
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.add(socket.on("close", () => sockets.delete(socket)));
    passOn(client, server, takeTrap);
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    url: url.href,
    arm(database, steps) {
      const { promise: held, resolve: spring } = Promise.withResolvers<HeldWrite>();
      traps.set(database, { steps, spring });
      return { held, disarm: () => void traps.delete(database) };
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const socket of sockets) socket.destroy();
      await once(listener, "close");
    },
  };
}

/** Forwards messages in both directions until a trap holds this connection's write. */
function passOn(client: Socket, server: Socket, takeTrap: (database: string | undefined) => Trap | undefined): void {
  const claims = statementSpotter(claim);
  let database: string | undefined;
  let asked = 0;
  // Starts at -1: the first ReadyForQuery ends the login, not a request.
  let answered = -1;
  let trap: Trap | undefined;
  let askedBefore = 0;
  /** Number of steps after which to hold the write; Infinity while unknown. */
  let steps = Infinity;
  const kept: { to: Socket; frame: Buffer }[] = [];

  function fromClient(frame: Buffer): void {
    const isClaim = claims(frame);
    if (isClaim && trap === undefined) {
      trap = takeTrap(database);
      askedBefore = asked;
      if (trap) holdAfter(trap.steps);
    }
    database ??= startupDatabase(frame);
    pass(server, frame, asked - askedBefore >= steps);
    if (endsRequest(frame)) asked += 1;
  }

  function holdAfter(count: number): void {
    steps = count;
    if (answered - askedBefore === steps) spring(false);
  }

  function fromServer(frame: Buffer): void {
    const step = answered - askedBefore + 1;
    pass(client, frame, steps > 0 && step >= steps);
    const state = readyState(frame);
    if (state === undefined) return;
    answered += 1;
    if (step === steps) spring(state === "idle");
    else if (step > 0 && state === "idle") forget();
  }

  function forget(): void {
    trap = undefined;
    steps = Infinity;
  }

  function pass(to: Socket, frame: Buffer, keep: boolean): void {
    if (keep) kept.push({ to, frame });
    else to.write(frame);
  }

  function spring(ended: boolean): void {
    const release = () => {
      forget();
      for (const { to, frame } of kept.splice(0)) to.write(frame);
    };
    const drop = () => {
      client.destroy();
      server.destroy();
    };
    trap?.spring({ ended, release, drop });
  }

  relay(client, server, frameReader("client"), fromClient);
  relay(server, client, frameReader("server"), fromServer);
}

function relay(from: Socket, to: Socket, framesOf: (chunk: Buffer) => Buffer[], take: (frame: Buffer) => void): void {
  from.setNoDelay();
  from.on("data", (chunk: Buffer) => {
    to.cork();
    for (const frame of framesOf(chunk)) take(frame);
    to.uncork();
  });
  from.on("close", () => to.end());
  // Expected: tests kill processes that use this connection.
  from.on("error", () => to.end());
}
