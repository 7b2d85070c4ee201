/** Returns the key of an answer: the elementId, or on a repeating page `elementId:itemId`. Ids contain no colon. */
export function answerKey(elementId: string, itemId: string | null): string {
  return itemId === null ? elementId : `${elementId}:${itemId}`;
}

export function parseAnswerKey(key: string): { elementId: string; itemId: string | null } {
  const colon = key.indexOf(":");
  if (colon < 0) return { elementId: key, itemId: null };
  return { elementId: key.slice(0, colon), itemId: key.slice(colon + 1) };
}
