/**
 * The name under which an answer is kept for one respondent: the elementId, and on a page that repeats
 * `elementId:itemId`, where the item is the choice the repetition is about. Ids never contain a colon.
 */
export function answerKey(elementId: string, itemId: string | null): string {
  return itemId === null ? elementId : `${elementId}:${itemId}`;
}

/** The parts of an answer key; `itemId` is null outside loops. The inverse of `answerKey`. */
export function parseAnswerKey(key: string): { elementId: string; itemId: string | null } {
  const colon = key.indexOf(":");
  if (colon < 0) return { elementId: key, itemId: null };
  return { elementId: key.slice(0, colon), itemId: key.slice(colon + 1) };
}
