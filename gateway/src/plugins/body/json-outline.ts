const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface JsonBounds {
  nesting: number;
  /** Members of one object. Parsers are slow with very many names. */
  members: number;
  /** Items of one list. Each may cause a violation. */
  items: number;
}

/** The number of members of all objects, or the first limit exceeded. */
export type JsonOutline = { members: number } | { beyond: keyof JsonBounds };

/** Scans the text before parsing. The result means nothing for text that is not JSON. */
export function outlineJson(json: string, bounds: JsonBounds): JsonOutline {
  /** For each open bracket: its members so far, or the commas of a list. */
  const open: number[] = [];
  const isList: boolean[] = [];
  let members = 0;
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (inText) {
      if (character === backslash) at += 1;
      else if (character === quote) inText = false;
    } else if (character === quote) inText = true;
    else if (character === colon) {
      members += 1;
      if ((open[open.length - 1]! += 1) > bounds.members) return { beyond: "members" };
    } else if (character === comma) {
      if (isList[open.length - 1] && (open[open.length - 1]! += 1) >= bounds.items) return { beyond: "items" };
    } else if (character === openBracket || character === openBrace) {
      if (open.push(0) > bounds.nesting) return { beyond: "nesting" };
      isList[open.length - 1] = character === openBracket;
    } else if (character === closeBracket || character === closeBrace) open.pop();
  }
  return { members };
}
