import { openDB, type IDBPDatabase } from "idb";
import { attempt } from "./attempt.ts";
import type { Submission } from "./link-api.ts";

/** Unsent answers of a page. `key` is the idempotency key. */
export interface Save {
  code: string;
  key: string;
  body: Submission;
}

export interface SaveQueue {
  isKept: () => boolean;
  add: (save: Save) => Promise<void>;
  all: () => Promise<Save[]>;
  remove: (key: string) => Promise<void>;
}

/** The link's unsent answers, oldest first, in IndexedDB; in memory if it is missing or fails. */
export async function openSaveQueue(code: string): Promise<SaveQueue> {
  const memory = memoryQueue();
  const database = await attempt<IDBPDatabase | undefined>(openDatabase, nothing);
  return database ? databaseQueue(code, database, memory) : memory;
}

const nothing = (): undefined => undefined;

function databaseQueue(code: string, database: IDBPDatabase, memory: SaveQueue): SaveQueue {
  const removed = new Set<string>();
  /** What the database held when it was last read or written, for when it fails. */
  let seen: readonly Save[] = [];
  let isBroken = false;
  async function use<T>(ask: (opened: IDBPDatabase) => Promise<T>, instead: () => T | Promise<T>): Promise<T> {
    if (isBroken) return instead();
    const fail = () => {
      isBroken = true;
      return instead();
    };
    return attempt(() => ask(database), fail);
  }
  return {
    isKept: () => !isBroken,
    add: (save) =>
      use(
        async (opened) => {
          await opened.add("saves", save);
          seen = [...seen, save];
        },
        () => memory.add(save),
      ),
    async all() {
      seen = await use<readonly Save[]>(
        (opened) => opened.getAllFromIndex("saves", "code", code),
        () => seen,
      );
      const keys = new Set(seen.map(({ key }) => key));
      const others = (await memory.all()).filter(({ key }) => !keys.has(key));
      return [...seen.filter(({ key }) => !removed.has(key)), ...others];
    },
    async remove(key) {
      removed.add(key);
      await memory.remove(key);
      const deletion = attempt<void>(
        () => removeFrom(database, code, key),
        () => void (isBroken = true),
      );
      // One that failed may still hold the save, and send it after a reload; but nothing waits for it.
      if (!isBroken) await deletion;
    },
  };
}

/** Also tries a write, because some browsers allow opening but deny writing. */
async function openDatabase(): Promise<IDBPDatabase> {
  const database = await openDB("canvass-answers", 1, {
    upgrade: (database) => {
      database.createObjectStore("saves", { keyPath: "seq", autoIncrement: true }).createIndex("code", "code");
    },
  });
  await database.delete("saves", 0);
  return database;
}

async function removeFrom(database: IDBPDatabase, code: string, key: string): Promise<void> {
  const saves = (await database.getAllFromIndex("saves", "code", code)) as (Save & { seq: number })[];
  for (const save of saves) if (save.key === key) await database.delete("saves", save.seq);
}

function memoryQueue(): SaveQueue {
  let saves: Save[] = [];
  return {
    isKept: () => false,
    add: async (save) => void saves.push(save),
    all: async () => [...saves],
    remove: async (key) => void (saves = saves.filter((save) => save.key !== key)),
  };
}
