import { AppError } from "@canvass/errors";
import { mostBatchItems } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { createBatcher } from "@canvass/rpc";
import { singleFlight } from "@canvass/telemetry";
import { LRUCache } from "lru-cache";

export interface KeptStatesOptions<Ref, State> {
  keyOf: (ref: Ref) => string;
  /** Outside a transaction. */
  sql: Sql;
  /** Those that are stored, in any order. */
  find: (sql: Sql, refs: readonly Ref[]) => Promise<State[]>;
  /** What their owner tells, or the error of single questions, in order; undefined: there is none. */
  ask: (refs: readonly Ref[]) => Promise<(State | AppError | undefined)[]>;
  /** Whether two states of one revision decide alike: else the owner has given the revision twice. */
  decideAlike: (one: State, other: State) => boolean;
  /** Stores what its owner told, unless a newer state is there. Throws `deadline_exceeded` while its survey is held up. */
  store: (state: State) => Promise<void>;
}

/** How surveys or links collect: stored here, pushed by their owner, and asked for only where they are not stored yet. */
export interface KeptStates<Ref, State> {
  /** The state as it is stored now, else as its owner tells; undefined: there is none. */
  find(ref: Ref): Promise<State | undefined>;
  /** Whether it is stored, as far as this process knows: no state is ever lost again. */
  isStored(ref: Ref): boolean;
  /** States of revisions that `sql` has read in its transaction; those of others than the last ones are read, too. */
  ofRevisions(sql: Sql, refs: readonly (Ref & { revision: string })[]): Promise<State[]>;
  /**
   * Whether what is stored is newer than a state that was pushed and than all that its owner knows now, or another of the same
   * revision. Late pushes are older than what is stored, too; but an owner commits a state before it tells it, and gives each
   * revision once, so its database was restored.
   */
  isAheadOfOwner(pushed: State): Promise<boolean>;
  /** Stores what its owner told along with another answer, and returns the state that counts. */
  learn(told: State): Promise<State>;
}

const maxEntries = 10_000;
/** Fewer than the database connections: what is held up keeps one for two seconds. */
const mostStoredAtOnce = 4;
/** Of an answer of an owner that does not push changes: nothing may be kept of it. */
export const unpushed = "0";

export function createKeptStates<Ref extends { workspaceId: string }, State extends Ref & Revised>({
  keyOf,
  sql,
  find,
  ask,
  decideAlike,
  store,
}: KeptStatesOptions<Ref, State>): KeptStates<Ref, State> {
  // A revision names one state, so what was read of it once stays right.
  const read = new LRUCache<string, State>({ max: maxEntries });

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

  const askOwner = createBatcher<Ref, State | AppError | undefined>({
    maxSize: mostBatchItems,
    maxInFlight: 2,
    send: async (refs) => {
      const distinct = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
      const told = await ask(distinct);
      const answers = new Map(distinct.map((ref, index) => [keyOf(ref), told[index]]));
      return refs.map((ref) => answers.get(keyOf(ref)));
    },
  });

  // Each has a transaction of its own: one whose survey is held up fails alone.
  const storeInTurn = createBatcher<State, void>({
    maxSize: 1,
    maxInFlight: mostStoredAtOnce,
    ownerOf: ({ workspaceId }) => workspaceId,
    send: async ([told]) => [await store(told!)],
  });
  const storeOnce = singleFlight(storeInTurn, { keyOf: (told) => `${keyOf(told)} ${told.revision}` });

  /** Returns the state that counts: another one where a change came in between. */
  async function keep(told: State): Promise<State> {
    if (told.revision === unpushed) return told;
    await storeOnce(told);
    return (await look(told)) ?? told;
  }

  return {
    async find(ref) {
      const stored = await look(ref);
      if (stored) return stored;
      const told = await askOwner(ref);
      if (told instanceof AppError) throw told;
      return told && keep(told);
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
      if (isSameRevision(stored, pushed)) return !decideAlike(stored, pushed);
      if (!isNewer(stored, pushed)) return false;
      const told = await askOwner(pushed);
      if (told instanceof AppError) throw told;
      return told !== undefined && told.revision !== unpushed && isNewer(stored, told);
    },
    async learn(told) {
      if (told.revision === unpushed) return told;
      const stored = await look(told);
      return stored && BigInt(stored.revision) >= BigInt(told.revision) ? stored : keep(told);
    },
  };
}

interface Revised {
  revision: string;
  /** False: it was deleted, which is the last change. */
  found?: boolean;
}

function isSameRevision(stored: Revised, other: Revised): boolean {
  return stored.found !== false && other.found !== false && stored.revision === other.revision;
}

function isNewer(stored: Revised, other: Revised): boolean {
  if (other.found === false) return false;
  return stored.found === false || BigInt(stored.revision) > BigInt(other.revision);
}
