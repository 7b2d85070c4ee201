import { namesForIds, nameResolver, type SurveyDefinition, type TranslatedPlace } from "@canvass/questions";
import type { FileEntry } from "./file-entry.ts";

/** Writes names of elements into texts that translators read, in the place of ids. */
export function withNames(places: readonly TranslatedPlace[], definition: SurveyDefinition): TranslatedPlace[] {
  const named = namesForIds(definition);
  return places.map((each) => {
    return { ...each, source: named(each.source), target: each.target === null ? null : named(each.target) };
  });
}

/**
 * Replaces names of elements in placeholders by ids, as texts are stored. Keeps an entry whose source equals the stored
 * one already.
 */
export function withIds(
  entries: readonly FileEntry[],
  definition: SurveyDefinition,
  places: readonly TranslatedPlace[],
): FileEntry[] {
  const resolve = nameResolver(definition);
  const sources = new Map(places.map(({ place, source }) => [place, source]));
  return entries.map((each) => {
    const resolved = { ...each, source: resolve(each.source), target: resolve(each.target) };
    const stored = sources.get(each.place);
    return stored === each.source && stored !== resolved.source ? each : resolved;
  });
}
