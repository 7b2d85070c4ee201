import type { Session } from "./link-api.ts";

/** What a device keeps about a link. */
export interface Kept {
  /** Of the start of its respondent: a start that is sent twice makes one. */
  startKey: string;
  session?: Session;
  /** When the respondent was last seen, as far as this device knows (elsewhere.ts). */
  seenAt?: string | null;
  isDone?: boolean;
  language?: string;
  /** The page that was open. */
  place?: string;
  /** Answers that were given since the last save, by answer key; null takes one back. */
  draft?: Record<string, unknown>;
}

export interface DeviceStore {
  /** Whether the browser keeps what is stored over a reload, as far as is known by now. */
  isKept: () => boolean;
  read: () => Kept;
  change: (part: Partial<Kept>) => void;
  clear: () => void;
}

/** A random word of 128 bits, also where `randomUUID` is missing (pages without TLS). */
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

/** What the browser keeps for the link, or this page alone where the browser keeps nothing. All tabs share it. */
export function deviceStore(code: string): DeviceStore {
  const name = `canvass:${code}`;
  const fresh = (): Kept => ({ startKey: randomWord() });
  /** What was stored last, once the browser refuses to keep it: older things may still stand there. */
  let memory: Kept | undefined;

  function load(): Kept | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
      return isKept(kept) ? kept : undefined;
    } catch {
      // Denied, or not written by this page.
      return undefined;
    }
  }

  function store(kept: Kept): void {
    try {
      localStorage.setItem(name, JSON.stringify(kept));
      memory = undefined;
    } catch {
      // Forbidden or full: this page alone remembers.
      memory = kept;
    }
  }

  let last = load() ?? fresh();
  const put = (kept: Kept): void => {
    last = kept;
    store(kept);
  };
  put(last);
  const read = (): Kept => {
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

const isKept = (value: unknown): value is Kept =>
  typeof value === "object" && value !== null && typeof (value as Kept).startKey === "string";
