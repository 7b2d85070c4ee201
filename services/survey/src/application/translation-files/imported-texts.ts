import type { Violation } from "@canvass/inputs";
import type { TranslatedPlace } from "@canvass/questions";
import type { FileEntry } from "./file-entry.ts";

export interface ImportedTexts {
  /** By place. */
  texts: Record<string, string>;
  /** Places whose source in the file is another than now. */
  outdated: string[];
  violations: Violation[];
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");
const isAlike = (one: string, other: string): boolean => plain(one) === plain(other);

/**
 * Decides what a translators' file writes: nothing that is empty, fuzzy, or made from another source than today's. Some
 * spreadsheets change line breaks within cells: if the sources of a file show that, its texts get plain ones (`\n`).
 */
export function importedTexts(entries: readonly FileEntry[], places: readonly TranslatedPlace[]): ImportedTexts {
  const known = new Map(places.map((each) => [each.place, each]));
  const texts = new Map<string, string>();
  const seen = new Set<string>();
  const outdated: string[] = [];
  const violations: Violation[] = [];
  const hasOtherBreaks = entries.some(({ place, source }) => {
    const { source: own = source } = known.get(place) ?? {};
    return source !== own && isAlike(source, own);
  });
  const textOf = (target: string, present: string | null) => {
    if (!hasOtherBreaks) return target;
    return present !== null && isAlike(target, present) ? present : plain(target);
  };
  for (const { place, source, target, mark } of entries) {
    const present = known.get(place);
    if (!present) violations.push({ path: place || "place", message: "is not the path of a text of this survey" });
    else if (seen.has(place)) violations.push({ path: place, message: "is given twice" });
    seen.add(place);
    if (!present || target === "" || mark === "fuzzy") continue;
    if (!isAlike(source, present.source)) outdated.push(place);
    else if (mark === "" || !isAlike(target, present.target ?? "")) texts.set(place, textOf(target, present.target));
  }
  return { texts: Object.fromEntries(texts), outdated, violations };
}
