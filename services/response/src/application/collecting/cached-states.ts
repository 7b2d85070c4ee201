import { AppError } from "@canvass/errors";
import { lruOptions, createBatcher, createKeyedSemaphore } from "@canvass/fairness";
import { mostBatchItems } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { singleFlight } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";

export interface CachedStatesOptions<Ref, State> {
  keyOf: (ref: Ref) => string;
  /** Must not be in a transaction. */
  sql: Sql;
  find: (sql: Sql, refs: readonly Ref[]) => Promise<State[]>;
  /** Requests states from the owning service, in the order of `refs`. Undefined: there is none. */
  fetchStates: (refs: readonly Ref[]) => Promise<(State | AppError | undefined)[]>;
  /** Whether two states of one revision decide the same. If not, the owner has issued the revision twice. */
  haveSameEffect: (one: State, other: State) => boolean;
  store: (state: State) => Promise<void>;
}

/** States of how surveys or links collect. The owning service pushes them; only missing ones are requested. */
export interface StateStore<Ref, State> {
  find(ref: Ref): Promise<State | undefined>;
  /** True: the state is stored and stays stored. False: this process has not read it. */
  isStored(ref: Ref): boolean;
  /** Returns the states of revisions that `sql` has read in its transaction. Reads those that are not cached. */
  ofRevisions(sql: Sql, refs: readonly (Ref & { revision: string })[]): Promise<State[]>;
  /** Whether the stored state contradicts the owner, whose database must then have been restored from a backup. */
  isAheadOfOwner(pushed: State): Promise<boolean>;
  /** Stores a state that another response of the owner contained. Returns the newer of it and the stored one. */
  storeIfNewer(fetched: State): Promise<State>;
}

const maxEntries = 10_000;
/** Fewer than the database connections: a blocked write holds its connection for two seconds. */
const storeLimits = { perKey: 2, total: 4, maxWaiting: 10_000 };
/** Revision of a state whose owner does not push changes. Such a state must not be stored. */
export const unpushedRevision = "0";

export function createCachedStates<Ref extends { workspaceId: string }, State extends Ref & Revised>({
  keyOf,
  sql,
  find,
  fetchStates,
  haveSameEffect,
  store,
}: CachedStatesOptions<Ref, State>): StateStore<Ref, State> {
  // A revision identifies one state, so a cached state stays valid for its revision.
  const read = new LRUCache<string, State>(lruOptions(maxEntries));

  async function findStored(on: Sql, refs: readonly Ref[]): Promise<Map<string, State>> {
    const distinct = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
    const found = new Map((await find(on, distinct)).map((state) => [keyOf(state), state]));
    for (const [key, state] of found) read.set(key, state);
    return found;
  }

  const look = createBatcher<Ref, State | undefined>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (refs) => {
      const found = await findStored(sql, refs);
      return refs.map((ref) => found.get(keyOf(ref)));
    },
  });

  const fetchState = createBatcher<Ref, State | undefined>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (refs) => {
      const distinct = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
      const fetched = await fetchStates(distinct);
      const answers = new Map(distinct.map((ref, index) => [keyOf(ref), fetched[index]]));
      return refs.map((ref) => answers.get(keyOf(ref)));
    },
  });

  // One transaction each, so that a locked survey fails alone.
  const storePermits = createKeyedSemaphore(storeLimits);
  const storeOnce = singleFlight(
    (fetched: State) => storePermits.run(fetched.workspaceId, undefined, () => store(fetched)),
    {
      keyOf: (fetched) => `${keyOf(fetched)} ${fetched.revision}`,
    },
  );

  async function keep(fetched: State): Promise<State> {
    if (fetched.revision === unpushedRevision) return fetched;
    await storeOnce(fetched);
    return (await look(fetched)) ?? fetched;
  }

  return {
    async find(ref) {
      const stored = await look(ref);
      if (stored) return stored;
      const fetched = await fetchState(ref);
      return fetched && keep(fetched);
    },
    isStored: (ref) => read.has(keyOf(ref)),
    async ofRevisions(on, refs) {
      const states = new Map<string, State>();
      const unread: Ref[] = [];
      for (const ref of refs) {
        const last = read.get(keyOf(ref));
        if (last?.revision === ref.revision) states.set(keyOf(ref), last);
        else unread.push(ref);
      }
      if (unread.length > 0) for (const [key, state] of await findStored(on, unread)) states.set(key, state);
      return [...states.values()];
    },
    async isAheadOfOwner(pushed) {
      const stored = await look(pushed);
      if (!stored) return false;
      if (isSameRevision(stored, pushed)) return !haveSameEffect(stored, pushed);
      if (!isNewer(stored, pushed)) return false;
      // A late push is also older than the stored state, so compare with the owner's current one.
      const fetched = await fetchState(pushed);
      return fetched !== undefined && fetched.revision !== unpushedRevision && isNewer(stored, fetched);
    },
    async storeIfNewer(fetched) {
      if (fetched.revision === unpushedRevision) return fetched;
      const stored = await look(fetched);
      return stored && BigInt(stored.revision) >= BigInt(fetched.revision) ? stored : keep(fetched);
    },
  };
}

interface Revised {
  revision: string;
  /** False after deletion, which is the last change. */
  found?: boolean;
}

function isSameRevision(stored: Revised, other: Revised): boolean {
  return stored.found !== false && other.found !== false && stored.revision === other.revision;
}

function isNewer(stored: Revised, other: Revised): boolean {
  if (other.found === false) return false;
  return stored.found === false || BigInt(stored.revision) > BigInt(other.revision);
}
