/** Characters to search. Limits the work for a file without delimiters. */
const longestSearch = 65_536;

const delimiters = [",", ";", "\t"];

/** The line in which spreadsheets declare their delimiter, quoted or not. */
const delimiterLine = /^("?)sep=([,;|:\t])\1\r?\n/iu;

/** Returns the declared delimiter, else the likely one, and the text without the line that declares it. */
export function readDelimiter(text: string): { text: string; delimiter: string; linesBefore: 0 | 1 } {
  const line = delimiterLine.exec(text);
  if (!line) return { text, delimiter: findDelimiter(text), linesBefore: 0 };
  return { text: text.slice(line[0].length), delimiter: line[2]!, linesBefore: 1 };
}

/** Returns the most frequent unquoted delimiter of the first line that has one. */
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
