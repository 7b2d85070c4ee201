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

/** Spreadsheets change line breaks within a cell. */
const plain = (text: string): string => text.replaceAll("\r\n", "\n");

/** Decides what a translators' file writes: nothing that is empty, fuzzy, or made from another source than today's. */
export function importedTexts(entries: readonly FileEntry[], places: readonly TranslatedPlace[]): ImportedTexts {
  const known = new Map(places.map((each) => [each.place, each]));
  const texts = new Map<string, string>();
  const seen = new Set<string>();
  const outdated: string[] = [];
  const violations: Violation[] = [];
  for (const { place, source, target, mark } of entries) {
    const present = known.get(place);
    if (!present) violations.push({ path: place || "place", message: "is not a place of a text of this survey" });
    else if (seen.has(place)) violations.push({ path: place, message: "is given twice" });
    seen.add(place);
    if (!present || target === "" || mark === "fuzzy") continue;
    if (plain(source) !== plain(present.source)) outdated.push(place);
    else if (mark === "" || plain(target) !== plain(present.target ?? "")) texts.set(place, plain(target));
  }
  return { texts: Object.fromEntries(texts), outdated, violations };
}
