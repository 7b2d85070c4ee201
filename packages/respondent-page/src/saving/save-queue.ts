import { openDB } from "idb";
import type { Submission } from "./link-api.ts";

/** A page's answers on their way. The key makes sending them twice safe. */
export interface Save {
  seq: number;
  code: string;
  key: string;
  body: Submission;
}

export interface SaveQueue {
  add: (save: Omit<Save, "seq">) => Promise<void>;
  all: () => Promise<Save[]>;
  remove: (seq: number) => Promise<void>;
}

/** The link's unsent answers, oldest first: in IndexedDB, or in memory where the browser has none or takes it away. */
export async function openSaveQueue(code: string): Promise<SaveQueue> {
  const memory = memoryQueue();
  const database = await openDatabase().catch(() => undefined);
  if (!database) return memory;
  const removed = new Set<number>();
  return {
    add: (save) => database.add("saves", save).then(nothing, () => memory.add(save)),
    async all() {
      const kept = await (database.getAllFromIndex("saves", "code", code) as Promise<Save[]>).catch(() => []);
      return [...kept.filter(({ seq }) => !removed.has(seq)), ...(await memory.all())];
    },
    async remove(seq) {
      await memory.remove(seq);
      removed.add(seq);
      await database.delete("saves", seq).catch(nothing);
    },
  };
}

const nothing = () => undefined;

const openDatabase = () =>
  openDB("canvass-answers", 1, {
    upgrade: (database) => {
      database.createObjectStore("saves", { keyPath: "seq", autoIncrement: true }).createIndex("code", "code");
    },
  });

/** Its numbers are negative, so that they are none of the database's. */
function memoryQueue(): SaveQueue {
  let saves: Save[] = [];
  let last = 0;
  return {
    add: async (save) => void saves.push({ ...save, seq: --last }),
    all: async () => [...saves],
    remove: async (seq) => void (saves = saves.filter((save) => save.seq !== seq)),
  };
}
