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
  read: () => Kept;
  change: (part: Partial<Kept>) => void;
  clear: () => void;
}

/** A random word of 128 bits, also where `randomUUID` is missing (pages without TLS). */
export const randomWord = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What the browser keeps for the link, or this page alone where the browser keeps nothing. All tabs share it. */
export function deviceStore(code: string): DeviceStore {
  const name = `canvass:${code}`;
  let memory: string | null = null;

  function load(): string | null {
    try {
      return localStorage.getItem(name) ?? memory;
    } catch {
      return memory;
    }
  }

  function store(text: string): void {
    memory = text;
    try {
      localStorage.setItem(name, text);
    } catch {
      // Forbidden or full: this page alone remembers.
    }
  }

  const read = (): Kept => {
    const text = load();
    if (text !== null) return JSON.parse(text) as Kept;
    const kept = { startKey: randomWord() };
    store(JSON.stringify(kept));
    return kept;
  };
  return {
    read,
    change: (part) => store(JSON.stringify({ ...read(), ...part })),
    clear: () => store(JSON.stringify({ startKey: randomWord() })),
  };
}
