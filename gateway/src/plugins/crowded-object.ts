/** Members of one object at most. None of the API's has half as many, and a parser is slow with a flood of names. */
export const mostMembers = 1_000;

/**
 * Whether an object in well-formed JSON has more than `most` members. A look at the text, before it is parsed: of other
 * texts it says anything.
 */
export function hasCrowdedObject(json: string, most = mostMembers): boolean {
  const members: number[] = [];
  let inText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (inText) {
      if (character === backslash) at += 1;
      else if (character === quote) inText = false;
    } else if (character === quote) inText = true;
    else if (character === openBrace) members.push(0);
    else if (character === closeBrace) members.pop();
    else if (character === colon) {
      const count = (members.pop() ?? 0) + 1;
      if (count > most) return true;
      members.push(count);
    }
  }
  return false;
}

const [quote, backslash, openBrace, closeBrace, colon] = [0x22, 0x5c, 0x7b, 0x7d, 0x3a];
