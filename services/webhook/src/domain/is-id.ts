/** True when the text can be an id at all (contract 2.5): anything else is absent without a look-up, and harmless in one. */
export function isId(text: string): boolean {
  return /^[0-9a-z]{16}$/.test(text);
}
