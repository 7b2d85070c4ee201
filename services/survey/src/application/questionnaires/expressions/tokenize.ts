import { cut } from "../report.ts";
import { NotSayable } from "./expression.ts";

/** How a system writes expressions. */
export interface Dialect {
  /** Matches a reference to a question. Sticky; the first group that matched is the question's name. */
  reference: RegExp;
  /** The meaning of each sign and word (in lower case), such as `=` or `and`. */
  operators: Readonly<Record<string, string>>;
  /** Operators between two values that are functions here, such as `contains`. */
  infix?: readonly string[];
  /** Operators behind a value that are functions here, such as `empty`. */
  postfix?: readonly string[];
}

export type Token =
  | { kind: "reference"; name: string }
  | { kind: "word"; word: string }
  | { kind: "text"; value: string }
  | { kind: "number"; value: number }
  | { kind: "sign"; sign: string };

const longest = 5_000;
const blanks = /\s+/y;
const text = /"([^"]*)"|'([^']*)'/y;
const number = /\d+(?:\.\d+)?/y;
const word = /[A-Za-z_][\w.:-]*/y;
const sign = /==|!=|<>|<=|>=|&&|\|\||[=<>()[\],.!+*/-]/y;

/** Cuts an expression into tokens. Throws `NotSayable`. */
export function tokenize(source: string, { reference }: Dialect): Token[] {
  if (source.length > longest) throw new NotSayable(`is longer than ${longest} characters`);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) return undefined;
    at = pattern.lastIndex;
    return found.slice(1).find((group) => group !== undefined) ?? (pattern === text ? "" : found[0]);
  };
  const next = (): Token => {
    const asked = take(reference);
    if (asked !== undefined) return { kind: "reference", name: asked };
    const quoted = take(text);
    if (quoted !== undefined) return { kind: "text", value: quoted };
    const digits = take(number);
    if (digits !== undefined) return { kind: "number", value: Number(digits) };
    const name = take(word);
    if (name !== undefined) return { kind: "word", word: name };
    const found = take(sign);
    if (found !== undefined) return { kind: "sign", sign: found };
    throw new NotSayable(`has ${cut(source.slice(at, at + 10))}, which is not understood`);
  };
  while (at < source.length) if (take(blanks) === undefined) tokens.push(next());
  return tokens;
}
