import { en } from "./en.ts";
import type { Words } from "./words.ts";

/** Languages with own texts; others use the English ones. The bundle has a file for each but English. */
const loaders: Record<string, () => Promise<Words>> = {
  en: () => Promise.resolve(en),
  ar: async () => (await import("./ar.ts")).ar,
  de: async () => (await import("./de.ts")).de,
  es: async () => (await import("./es.ts")).es,
  fr: async () => (await import("./fr.ts")).fr,
};

const rightToLeft = new Set(["ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"]);

const primary = (tag: string) => tag.toLowerCase().split("-", 1)[0]!;

export const directionOf = (tag: string): "ltr" | "rtl" => (rightToLeft.has(primary(tag)) ? "rtl" : "ltr");

/** Returns the language of the texts for a tag: `de` for `de-AT`, `en` if there are none. */
export const spokenLanguage = (tag: string): string => (Object.hasOwn(loaders, primary(tag)) ? primary(tag) : "en");

export const loadWords = (tag: string): Promise<Words> => loaders[spokenLanguage(tag)]!();

export function languageName(tag: string): string {
  try {
    const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
    return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
  } catch {
    return tag;
  }
}
