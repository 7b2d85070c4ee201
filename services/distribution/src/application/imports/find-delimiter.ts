/** As long as a line of headings may be: whoever sends lines without one is not read to the end at once. */
const longestSearch = 65_536;

const delimiters = [",", ";", "\t"];

/** The line with which spreadsheets tell their delimiter, in quotes or not. */
const told = /^("?)sep=([,;|:\t])\1\r?\n/iu;

/** A file's text without a line that tells its delimiter, and that. */
export function readDelimiter(text: string): { text: string; delimiter: string } {
  const line = told.exec(text);
  if (!line) return { text, delimiter: findDelimiter(text) };
  return { text: text.slice(line[0].length), delimiter: line[2]! };
}

/** What separates the headings in the first line: the most frequent one outside of quotes. */
export function findDelimiter(text: string): string {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const character of text.slice(0, longestSearch)) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) {
      if ([...counts.values()].some((count) => count > 0)) break;
    } else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return delimiters.toSorted((one, other) => counts.get(other)! - counts.get(one)!)[0]!;
}
