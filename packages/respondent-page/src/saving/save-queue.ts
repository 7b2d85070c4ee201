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

/** The link's unsent answers, oldest first: in IndexedDB, or in memory where the browser has none to offer. */
export async function openSaveQueue(code: string): Promise<SaveQueue> {
  try {
    const database = await openDB("canvass-answers", 1, {
      upgrade: (database) => {
        database.createObjectStore("saves", { keyPath: "seq", autoIncrement: true }).createIndex("code", "code");
      },
    });
    return {
      add: async (save) => void (await database.add("saves", save)),
      all: () => database.getAllFromIndex("saves", "code", code) as Promise<Save[]>,
      remove: (seq) => database.delete("saves", seq),
    };
  } catch {
    return memoryQueue();
  }
}

function memoryQueue(): SaveQueue {
  const saves: Save[] = [];
  let last = 0;
  return {
    add: async (save) => void saves.push({ ...save, seq: ++last }),
    all: async () => [...saves],
    remove: async (seq) =>
      void saves.splice(
        saves.findIndex((save) => save.seq === seq),
        1,
      ),
  };
}
