const MOST_CHARACTERS = 300;

/**
 * The form in which names are searched and sorted, so that neither the case nor the way an accent was typed matters.
 * Made here and not in the database, whose idea of upper and lower case depends on how it was set up.
 */
export function nameKey(name: string): string {
  const key = name.normalize("NFC").toLowerCase();
  // Some characters become several; an index entry has its limit.
  return key.length <= MOST_CHARACTERS ? key : Array.from(key).slice(0, MOST_CHARACTERS).join("");
}

/** A LIKE pattern for the keys of names that contain `part`; null when every name does. */
export function namePattern(part: string): string | null {
  if (part === "") return null;
  return `%${nameKey(part).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
