// Marks that enclose numbers are visible, the braille blank is not. NUL counts as visible, `isStorable` rejects it.
// Without the flag v, which browsers of 2022 do not know.
const visible =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]|[\0\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

/** True for text that is empty, blank or invisible (contract 2.9). */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/** Counts code points, so an emoji outside the basic plane is one character. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export function isLongerThan(text: string, most: number): boolean {
  return text.length > most * 2 || (text.length > most && characterCount(text) > most);
}

/** Writes a count with its noun, as sentences of violations do: `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes text for HTML elements and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);
