const MOST_CHARACTERS = 300;

/** Normalizes case and accent encoding for search and sorting. Not in SQL, whose case rules depend on the locale. */
export function surveyNameKey(name: string): string {
  const key = name.normalize("NFC").toLowerCase();
  // Lower case can lengthen a name, and the size of an index entry is limited.
  return key.length <= MOST_CHARACTERS ? key : Array.from(key).slice(0, MOST_CHARACTERS).join("");
}

/** Returns a LIKE pattern for the keys of names that contain `part`; null if it is empty: every name matches. */
export function surveyNamePattern(part: string): string | null {
  if (part === "") return null;
  return `%${surveyNameKey(part).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
