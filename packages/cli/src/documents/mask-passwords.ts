import { isAlias, isScalar, parseDocument, visit, type Document } from "yaml";

/** What is shown in place of a password. */
const mask = "********";

/**
 * Hides passwords in the text of a survey's document in YAML or JSON, so that its lines can be shown. Undefined if it
 * is neither. `true` stays: it keeps the password that is stored.
 */
export function maskPasswords(text: string): string | undefined {
  const document = parseDocument(text, { logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  const ranges = passwordRanges(document).toSorted(([one], [other]) => other - one);
  return ranges.reduce((masked, [start, end]) => `${masked.slice(0, start)}${mask}${masked.slice(end)}`, text);
}

/** Returns the distinct places of passwords in the text, from their first character to behind their last one. */
function passwordRanges(document: Document): [start: number, end: number][] {
  const ends = new Map<number, number>();
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== "password") return;
      const node = isAlias(value) ? value.resolve(document) : value;
      if (isScalar(node) && node.range && isHidden(node.value)) ends.set(node.range[0], node.range[1]);
    },
  });
  return [...ends];
}

const isHidden = (value: unknown): boolean => value !== null && typeof value !== "boolean";
