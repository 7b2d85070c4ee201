import { isLanguageTag } from "@canvass/values";

let byName: ReadonlyMap<string, string> | undefined;

/** Returns the tag of a language that a file calls `de`, `Deutsch (de)`, `German` or `zh-Hans`; undefined if none. */
export function languageTagOf(name: string): string | undefined {
  const bracketed = /\(([A-Za-z][A-Za-z0-9-]*)\)\s*$/.exec(name)?.[1];
  if (bracketed !== undefined && isLanguageTag(bracketed)) return canonical(bracketed);
  const plain = name.trim();
  byName ??= languageNames();
  const known = byName.get(plain.toLowerCase());
  if (known !== undefined) return known;
  return /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(plain) && isLanguageTag(plain.replaceAll("_", "-"))
    ? canonical(plain.replaceAll("_", "-"))
    : undefined;
}

/** As BCP 47 writes it, such as `pt-BR`. */
function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Returns the tags of two letters by the English names of their languages, in lower case. */
function languageNames(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const letters = "abcdefghijklmnopqrstuvwxyz".split("");
  const tags = letters.flatMap((one) => letters.map((other) => one + other));
  return new Map(
    tags.flatMap((tag): [string, string][] => {
      const name = names.of(tag);
      return name === undefined ? [] : [[name.toLowerCase(), tag]];
    }),
  );
}
