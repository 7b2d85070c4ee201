/** Makes unique keys or names from words of a file. Changes no more of a word than a key or name requires. */
export interface Keys {
  take(word: string): string;
}

const longest = 60;

/**
 * `start` begins a key whose word does not begin with a letter. `keepsCase` keeps upper case; keys are unique whatever
 * their case.
 */
export function createKeys(start: string, reserved: readonly string[] = [], keepsCase = false): Keys {
  const taken = new Set(reserved);
  const next = new Map<string, number>();
  return {
    take(word) {
      const base = slug(keepsCase ? word : word.toLowerCase(), start);
      const counted = base.toLowerCase();
      let key = base;
      for (let at = next.get(counted) ?? 2; taken.has(key.toLowerCase()); at += 1) {
        key = `${base}_${at}`;
        next.set(counted, at + 1);
      }
      taken.add(key.toLowerCase());
      return key;
    },
  };
}

function slug(word: string, start: string): string {
  const plain = word
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9_]+/g, "_")
    .replaceAll(/^_+(?=.)|_+$/g, "");
  const named = /^[A-Za-z]/.test(plain) ? plain : `${start}${plain === "" ? "" : "_"}${plain}`;
  return named.slice(0, longest);
}

/** Keys of the entries of one list. */
export function createEntryKeys(): Keys {
  const taken = new Set(["other"]);
  return {
    take(word) {
      const base = (
        word
          .toLowerCase()
          .replaceAll(/[^a-z0-9_]+/g, "_")
          .replaceAll(/^_+(?=.)|_+$/g, "") || "e"
      ).slice(0, 26);
      let key = base;
      for (let at = 2; taken.has(key); at += 1) key = `${base}_${at}`;
      taken.add(key);
      return key;
    },
  };
}
