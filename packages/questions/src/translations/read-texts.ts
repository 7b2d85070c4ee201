import { checkShape, visibleText, type Violation } from "@canvass/inputs";
import { ownValue, type JsonObject } from "@canvass/values";
import type { TSchema } from "typebox";
import type { TranslatedTexts } from "../definition.ts";
import { placeholderViolation } from "../piping/placeholders.ts";
import type { PlacedText } from "./text-places.ts";

/** Returns a short digest of a source text, equal for equal texts. */
export type DigestText = (text: string) => string;

interface Reading {
  /** Texts by what `keyOf` makes of their places; null removes. */
  input: JsonObject;
  keyOf: (place: string) => string;
  /** Returns the path of violations of a text, by its key. */
  pathOf: (key: string) => string;
  /** Keeps texts that `input` does not name. One that it repeats counts as translated from the current source. */
  merges: boolean;
  digest: DigestText;
  /** Writes ids where a text names elements. */
  resolve?: (text: string) => string;
}

/**
 * Returns the translations of `sources` into one language. Those of retired entries stay unless they are named.
 * Removes the keys that it finds from `unknown`.
 */
export function readTexts(
  sources: readonly PlacedText[],
  former: TranslatedTexts,
  { input, keyOf, pathOf, merges, digest, resolve = (text) => text }: Reading,
  unknown: Set<string>,
  violations: Violation[],
): TranslatedTexts {
  const texts: TranslatedTexts = {};
  for (const { place, text: source, most, retired } of sources) {
    const key = keyOf(place);
    const had = ownValue(former, place) as TranslatedTexts[string] | undefined;
    if (!Object.hasOwn(input, key)) {
      if (had && (merges || retired)) texts[place] = had;
      continue;
    }
    unknown.delete(key);
    const written = input[key];
    const given = typeof written === "string" ? resolve(written) : written;
    if (given === null || !checkText(source, given, most, pathOf(key), violations)) continue;
    const isRepeated = had?.text === given && !merges;
    texts[place] = isRepeated ? had : { text: given, source: digest(source) };
  }
  return texts;
}

const schemas = new Map<number, TSchema>();

function checkText(
  source: string,
  given: unknown,
  most: number,
  path: string,
  violations: Violation[],
): given is string {
  const before = violations.length;
  const schema = schemas.get(most) ?? visibleText(most);
  schemas.set(most, schema);
  checkShape(schema, given, path, violations);
  const message = violations.length === before ? placeholderViolation(source, given as string) : null;
  if (message !== null) violations.push({ path, message });
  return violations.length === before;
}
