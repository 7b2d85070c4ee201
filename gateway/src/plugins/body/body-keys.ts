const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts the members of a parsed value. Of repeated keys in an object, only the last is left. */
export function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += countKeys(item);
  } else {
    for (const key in value) keys += 1 + countKeys((value as Record<string, unknown>)[key]);
  }
  return keys;
}

interface Open {
  /** Keys so far; undefined in a list. */
  keys?: Set<string>;
  /** The last key or index: a step of the path. */
  step: string | number;
  keyComes: boolean;
}

/** Returns the dotted path of the first repeated key in well-formed JSON, or undefined. */
export function findRepeatedKey(json: string): string | undefined {
  const opened: Open[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    const inside = opened.at(-1);
    if (character === openBrace) opened.push({ keys: new Set(), step: "", keyComes: true });
    else if (character === openBracket) opened.push({ step: 0, keyComes: false });
    else if (character === closeBrace || character === closeBracket) opened.pop();
    else if (character === comma && inside) next(inside);
    else if (character === quote) {
      const end = endOfText(json, at);
      if (inside?.keyComes && isRepeated(inside, JSON.parse(json.slice(at, end + 1)) as string)) {
        return opened.map(({ step }) => step).join(".");
      }
      at = end;
    }
  }
  return undefined;
}

function next(inside: Open): void {
  if (inside.keys) inside.keyComes = true;
  else (inside.step as number) += 1;
}

function isRepeated(inside: Open, key: string): boolean {
  const seen = inside.keys!.has(key);
  inside.keys!.add(key);
  inside.step = key;
  inside.keyComes = false;
  return seen;
}

function endOfText(json: string, from: number): number {
  let at = from + 1;
  while (json.charCodeAt(at) !== quote) at += json.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
