import dns, { type LookupAddress } from "node:dns";
import { connect, type SecureClientSessionOptions } from "node:http2";
import type { ChannelAddress } from "../channel.ts";
import { flowControlWindowBytes } from "../message-limits.ts";
import { openTrunk, type Trunk } from "./trunk.ts";

export interface Trunks extends Disposable {
  /** The next one in turn; undefined while there is none. */
  next(): Trunk | undefined;
  /** Opens missing ones, once a second at most; resolves when they are open or failed. */
  tend(): Promise<void>;
}

const msBetweenTries = 1_000;

/** Keeps a trunk to each address of a name, in turns. The name is asked again when one ends. */
export function keepTrunks({ url, tls }: ChannelAddress): Trunks {
  const trunks = new Map<string, Trunk>();
  let turn = 0;
  let complete = false;
  let triedAt = Number.NEGATIVE_INFINITY;
  let disposed = false;

  async function openMissing(): Promise<void> {
    const { hostname } = new URL(url);
    const addresses = await dns.promises.lookup(hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
    if (disposed) return;
    complete = addresses.length > 0;
    await Promise.all(addresses.filter(({ address }) => !trunks.has(address)).map(open));
  }

  function open(address: LookupAddress): Promise<void> {
    const session = connect(url, { ...sessionOptions(tls), lookup: only(address) } as SecureClientSessionOptions);
    session.once("connect", () => session.setLocalWindowSize(flowControlWindowBytes)).unref();
    const trunk = openTrunk(session, () => {
      complete = false;
      if (trunks.get(address.address) === trunk) trunks.delete(address.address);
    });
    trunks.set(address.address, trunk);
    return trunk.settled;
  }

  return {
    next() {
      const free = [...trunks.values()].filter((trunk) => trunk.free);
      turn = (turn + 1) % Math.max(free.length, 1);
      return free[turn];
    },
    async tend() {
      if (complete || performance.now() - triedAt < msBetweenTries) return;
      triedAt = performance.now();
      await openMissing();
    },
    [Symbol.dispose]() {
      disposed = true;
      for (const trunk of trunks.values()) trunk.leave();
    },
  };
}

function sessionOptions(tls: ChannelAddress["tls"]) {
  return { ...tls, settings: { initialWindowSize: flowControlWindowBytes } };
}

/** A resolver that knows one address. */
function only({ address, family }: LookupAddress) {
  type Found = (error: null, found: string | LookupAddress[], family?: number) => void;
  return (_name: string, { all }: { all?: boolean }, found: Found) =>
    all ? found(null, [{ address, family }]) : found(null, address, family);
}
