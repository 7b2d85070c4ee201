import type { Session, StartBody } from "./link-api.ts";

export interface StoredState {
  /** Idempotency key of the start: sending it twice creates one respondent. */
  startKey: string;
  /** What was sent with it and not answered (repeat-start.ts). */
  start?: Omit<StartBody, "password"> | undefined;
  session?: Session;
  /** When the respondent was last seen, as far as this device knows (watch-other-devices.ts). */
  seenAt?: string | null;
  isDone?: boolean;
  language?: string;
  /** The respondent has left the welcome screen. */
  isWelcomed?: boolean;
  /** Name of the page that was shown last. */
  place?: string;
  /** Answer keys of questions whose default was shown. */
  filled?: string[];
  /** Answers changed since the last save, by answer key; null removes one. */
  draft?: Record<string, unknown>;
}

export interface DeviceStore {
  /** Whether the stored data survives a reload, as far as known. */
  isKept: () => boolean;
  read: () => StoredState;
  change: (part: Partial<StoredState>) => void;
  clear: () => void;
}

/** A random word of 128 bits. Pages without TLS have no `randomUUID`. */
export const randomWord = (): string =>
  Array.from(randomBytes(), (byte) => byte.toString(16).padStart(2, "0")).join("");

function randomBytes(): Uint8Array {
  const bytes = new Uint8Array(16);
  try {
    return crypto.getRandomValues(bytes);
  } catch {
    return bytes.map(() => Math.random() * 256);
  }
}

/** Storage of a link, shared by all tabs. Falls back to the memory of this tab if the browser stores nothing. */
export function deviceStore(code: string): DeviceStore {
  const name = `canvass:${code}`;
  const fresh = (): StoredState => ({ startKey: randomWord() });
  /** The latest value after a failed write, because localStorage may still hold an older one. */
  let memory: StoredState | undefined;

  function load(): StoredState | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
      return isStoredState(kept) ? kept : undefined;
    } catch {
      // Access is denied, or another page wrote the value.
      return undefined;
    }
  }

  function store(kept: StoredState): void {
    try {
      localStorage.setItem(name, JSON.stringify(kept));
      memory = undefined;
    } catch {
      // Access is denied, or the storage is full.
      memory = kept;
    }
  }

  let last = load() ?? fresh();
  const put = (kept: StoredState): void => {
    last = kept;
    store(kept);
  };
  put(last);
  const read = (): StoredState => {
    last = memory ?? load() ?? last;
    return last;
  };
  return {
    isKept: () => memory === undefined && load() !== undefined,
    read,
    change: (part) => put({ ...read(), ...part }),
    clear: () => put(fresh()),
  };
}

const isStoredState = (value: unknown): value is StoredState =>
  typeof value === "object" && value !== null && typeof (value as StoredState).startKey === "string";
