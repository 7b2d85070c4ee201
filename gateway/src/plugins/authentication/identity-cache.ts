import { isTokenValue } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { lruOptions } from "@canvass/fairness";
import { LRUCache } from "lru-cache";
import { hash } from "node:crypto";
import { type Credential, expiryOf, type Identity } from "../../batches/identity.ts";

export interface IdentityCacheOptions {
  lookUp: (credential: Credential) => Promise<Identity>;
  now: () => Date;
  /** A monotonic clock in milliseconds, for the age of cache entries. */
  elapsed?: (() => number) | undefined;
  maxEntries?: number;
}

export interface IdentityCache {
  /** Synchronous if cached. Throws AppError, `rate_limited` if `mayAsk` refuses the look-up of an unknown token. */
  identify: (tokenValue: string, workspaceId: string, mayAsk?: () => boolean) => Identity | Promise<Identity>;
  /** Makes the identities stale that depend on a changed token, workspace or membership (`membershipOf`). */
  forget: (changed: string) => void;
}

export function membershipOf({ workspaceId, personId }: { workspaceId: string; personId: string }): string {
  return `${workspaceId} ${personId}`;
}

/** Returns the ids of the rows that an identity depends on. A change of any of them makes it stale. */
function rootsOf({ caller }: Identity): string[] {
  return [caller.tokenId, caller.workspaceId, membershipOf(caller)];
}

const hashLength = 44;
/** At most ten seconds, in case a notice is lost. */
const identityMs = 10_000;
const refusalMs = 2_000;
const maxRefusals = 10_000;

/** Stale entries stay until evicted: they show that the token was valid recently. */
interface Entry {
  identity: Identity;
  /** On the clock of `elapsed`. */
  freshUntil: number;
  /** On the clock of `now`. */
  expiresAt: number;
}

interface Refusal {
  error: AppError;
  /** On the clock of `elapsed`. */
  freshUntil: number;
}

/** Caches identities and refusals by the SHA-256 of the token. Equal misses share one look-up. */
export function createIdentityCache(options: IdentityCacheOptions): IdentityCache {
  const { lookUp, now, elapsed = () => performance.now(), maxEntries = 50_000 } = options;
  const entries = new LRUCache<string, Entry>({
    ...lruOptions(maxEntries),
    dispose: (entry, key) => unlink(entry, key),
  });
  // In a separate cache, so that a flood of bad tokens does not evict good ones.
  const refusals = new LRUCache<string, Refusal>(lruOptions(maxRefusals));
  const keysByRoot = new Map<string, Set<string>>();
  const underWay = new Map<string, Promise<Identity>>();
  // Ids that changed recently, each with its number in `forgets`. The result of an earlier look-up may be stale.
  const forgotten = new LRUCache<string, number>(lruOptions(10_000));
  let forgets = 0;

  function identify(tokenValue: string, workspaceId: string, mayAsk = always): Identity | Promise<Identity> {
    const key = hash("sha256", tokenValue, "base64") + workspaceId;
    const entry = entries.get(key);
    if (entry && isFresh(entry)) return entry.identity;
    const refusal = refusals.get(key);
    if (refusal && refusal.freshUntil > elapsed()) throw refusal.error;
    // The checksum of the token detects typos.
    if (!isTokenValue(tokenValue)) throw new AppError("invalid_token");
    const shared = underWay.get(key);
    if (shared) return shared;
    if (!entry && !mayAsk()) throw new AppError("rate_limited");
    return fetchIdentity(key, { tokenSha256: Buffer.from(key.slice(0, hashLength), "base64"), workspaceId });
  }

  function isFresh({ freshUntil, expiresAt }: Entry): boolean {
    return freshUntil > elapsed() && expiresAt > now().getTime();
  }

  function fetchIdentity(key: string, credential: Credential): Promise<Identity> {
    const answer = askUntilCurrent(key, credential).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  }

  async function askUntilCurrent(key: string, credential: Credential): Promise<Identity> {
    for (;;) {
      const askedAt = forgets;
      // Taken before the look-up, since the result may be as old.
      const evaluatedAt = elapsed();
      try {
        const identity = await lookUp(credential);
        const roots = rootsOf(identity);
        if (roots.some((root) => (forgotten.get(root) ?? 0) > askedAt)) continue;
        entries.set(key, { identity, freshUntil: evaluatedAt + identityMs, expiresAt: expiryOf(identity.caller) });
        for (const root of roots) link(root, key);
        return identity;
      } catch (error) {
        if (isRefusal(error)) {
          entries.delete(key);
          refusals.set(key, { error, freshUntil: elapsed() + refusalMs });
        }
        throw error;
      }
    }
  }

  function link(root: string, key: string): void {
    const keys = keysByRoot.get(root);
    if (keys) keys.add(key);
    else keysByRoot.set(root, new Set([key]));
  }

  function unlink({ identity }: Entry, key: string): void {
    for (const root of rootsOf(identity)) {
      const keys = keysByRoot.get(root);
      keys?.delete(key);
      if (keys?.size === 0) keysByRoot.delete(root);
    }
  }

  return {
    identify,
    forget(changed) {
      forgets += 1;
      forgotten.set(changed, forgets);
      for (const key of keysByRoot.get(changed) ?? []) entries.peek(key)!.freshUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

const refusalCodes = new Set(["invalid_token", "token_expired", "workspace_not_accessible"]);

/** Whether a token was refused. Errors of an outage say nothing about it. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && refusalCodes.has(error.code);
}

const always = () => true;
