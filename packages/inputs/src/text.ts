// Numbers are written below some of the format characters (Unicode calls them prepended concatenation marks): those
// are seen. The empty braille pattern is the one blank that has none of these properties. What can not be stored is
// left to the check that says so.
const visible =
  /[[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800][\0\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v;

/** True for text that shows nothing: empty, or only blanks and invisible characters (contract 2.9). */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/** The number of characters as people count them: an emoji outside the basic plane is one. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether a text has more characters than that. A huge one is not walked: twice as many units are too long in any script. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most * 2 || (text.length > most && characterCount(text) > most);
}
