export interface Sizes {
  /** Characters of a text. */
  text: number;
  /** Entries of a list. */
  entries: number;
}

/**
 * Returns JSON data with long texts and lists shortened, and whether any was. A shortened text has its full length in
 * it.
 */
export function shorten(value: unknown, sizes: Sizes): { value: unknown; isCut: boolean } {
  let isCut = false;
  const cutText = (text: string): string => {
    isCut = true;
    return `${text.slice(0, sizes.text).toWellFormed()}… (cut, ${text.length} characters)`;
  };
  const visit = (node: unknown): unknown => {
    if (typeof node === "string") return node.length > sizes.text ? cutText(node) : node;
    if (typeof node !== "object" || node === null) return node;
    if (!Array.isArray(node)) {
      return Object.fromEntries(Object.entries(node).map(([key, entry]) => [key, visit(entry)]));
    }
    isCut ||= node.length > sizes.entries;
    return node.slice(0, sizes.entries).map(visit);
  };
  return { value: visit(value), isCut };
}
