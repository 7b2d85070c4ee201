/** A BCP 47 tag (RFC 5646, 2.1) of language, script, region and at most one variant: `de`, `ca-ES-valencia`. */
export const languageTagPattern =
  "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?$";

const languageTag = new RegExp(languageTagPattern, "u");

export function isLanguageTag(text: string): boolean {
  return languageTag.test(text);
}

/** Writes a language tag in its one canonical form (RFC 5646, 4.5), so that equal languages have equal tags. */
export function languageKey(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    return tag.toLowerCase();
  }
}

/** Finds the best of the offered languages, `de` for `de-AT` (lookup of RFC 4647, 3.4). */
export function lookUpLanguage(wanted: string, offered: readonly string[]): string | undefined {
  const byKey = new Map(offered.map((tag) => [languageKey(tag), tag]));
  for (let key = languageKey(wanted); key !== ""; key = key.slice(0, Math.max(0, key.lastIndexOf("-")))) {
    const found = byKey.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
