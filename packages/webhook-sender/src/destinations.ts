import { LRUCache } from "lru-cache";
import { isIP } from "node:net";
import type { AddressPolicy } from "./address-policy.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { destinationHost, destinationPort } from "./webhook-url.ts";

export type Destination =
  | { state: "permitted"; addresses: string[] }
  | ({ state: "refused" } & Obstacle)
  | ({ state: "unresolved" } & Obstacle);

interface Obstacle {
  reason: string;
  /** Violations for the webhook's owner, without resolved addresses. */
  problems: string[];
}

export interface DestinationsOptions {
  policy: AddressPolicy;
  resolve: ResolveHost;
  /** Milliseconds for which requests share a lookup; 0: none do. */
  shareMs: number;
  lookUpMs: number;
}

/** Names with more are refused: checking 4,000 IPv6 addresses blocked the event loop for 0.4 s. */
const MOST_ADDRESSES = 64;
/** Further addresses are checked but not tried, because each try connects to a foreign server. */
const MOST_TRIED = 8;

/** Resolves and checks all addresses of a URL's host. One refused address refuses the host (DNS rebinding). */
export function createDestinationCheck({ policy, resolve, shareMs, lookUpMs }: DestinationsOptions) {
  const shared = new LRUCache<string, Promise<Destination>>({ max: 10_000, ttl: Math.max(shareMs, 1) });

  return async (url: URL, timeoutMs = lookUpMs): Promise<Destination> => {
    const asked = shareMs === 0 ? vet(url) : (shared.get(url.host) ?? share(url));
    return timeoutMs < lookUpMs ? within(timeoutMs, asked).catch((error) => unresolved(url, error)) : asked;
  };

  function share(url: URL): Promise<Destination> {
    const asked = vet(url);
    shared.set(url.host, asked);
    return asked;
  }

  async function vet(url: URL): Promise<Destination> {
    const host = destinationHost(url);
    const port = destinationPort(url);
    try {
      const addresses = isIP(host) === 0 ? await within(lookUpMs, resolve(host, lookUpMs)) : [host];
      if (addresses.length === 0) throw new Error("the name has no address");
      if (addresses.length > MOST_ADDRESSES) return tooMany(addresses.length);
      const refused = addresses.find((address) => !policy.permits(address, port));
      if (refused === undefined) {
        return { state: "permitted", addresses: addresses.toSorted(ipv4First).slice(0, MOST_TRIED) };
      }
      const problems = [...new Set(addresses.flatMap((address) => policy.problems(address, port)))];
      return { state: "refused", reason: `${refused} port ${port} may not be reached`, problems };
    } catch (error) {
      return unresolved(url, error);
    }
  }

  function unresolved(url: URL, error: unknown): Destination {
    const reason = error instanceof Error ? error.message : String(error);
    const problems = [...policy.portProblems(destinationPort(url)), lookupProblem(error)];
    return { state: "unresolved", reason, problems };
  }
}

function tooMany(count: number): Destination {
  const problems = [`has a host name with more than ${MOST_ADDRESSES} addresses`];
  return { state: "refused", reason: `the name has ${count} addresses`, problems };
}

// Error codes of c-ares for name servers that did not respond.
const unanswered = new Set<unknown>([
  "ETIMEOUT",
  "ECONNREFUSED",
  "ESERVFAIL",
  "EREFUSED",
  "ECANCELLED",
  "ENOTINITIALIZED",
]);

function lookupProblem(error: unknown): string {
  const late = error instanceof LateAnswer || unanswered.has((error as { code?: unknown }).code);
  return late
    ? "has a host name whose name servers did not answer; try again later"
    : "has a host name that does not resolve";
}

class LateAnswer extends Error {}

// IPv4 first: without an IPv6 route, every first connection would fail.
function ipv4First(a: string, b: string): number {
  return isIP(a) - isIP(b);
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new LateAnswer("the name servers did not answer in time")), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
