import { cut } from "../report.ts";
import { NotSayable, type Comparator, type Expression } from "./expression.ts";
import { tokenize, type Dialect, type Token } from "./tokenize.ts";

const deepest = 30;
const comparators: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">="]);

/** Parses the part of an expression language that conditions may need. Throws `NotSayable` for the rest. */
export function parseExpression(source: string, dialect: Dialect): Expression {
  const tokens = tokenize(source, dialect);
  let at = 0;
  let depth = 0;

  const meaning = (token: Token | undefined): string | undefined => {
    if (token?.kind === "sign") return dialect.operators[token.sign] ?? token.sign;
    if (token?.kind !== "word") return undefined;
    const word = token.word.toLowerCase();
    return Object.hasOwn(dialect.operators, word) ? dialect.operators[word] : undefined;
  };
  const takes = (sign: string): boolean => {
    if (meaning(tokens[at]) !== sign) return false;
    at += 1;
    return true;
  };
  const wordIn = (words: readonly string[] = []): string | undefined => {
    const token = tokens[at];
    const word = token?.kind === "word" ? token.word.toLowerCase() : undefined;
    if (word === undefined || !words.includes(word)) return undefined;
    at += 1;
    return word;
  };
  const unexpected = (): never => {
    const token = tokens[at];
    const shown =
      token &&
      ("word" in token
        ? token.word
        : "sign" in token
          ? token.sign
          : "name" in token
            ? token.name
            : String(token.value));
    throw new NotSayable(shown === undefined ? "ends too early" : `has ${cut(shown)}, which no condition has there`);
  };

  function joined(kind: "and" | "or", part: () => Expression): Expression {
    const parts = [part()];
    while (takes(kind)) parts.push(part());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  function either(): Expression {
    if ((depth += 1) > deepest) throw new NotSayable("is nested too deeply");
    const expression = joined("or", () => joined("and", compared));
    depth -= 1;
    return expression;
  }

  function compared(): Expression {
    const left = single();
    const operator = meaning(tokens[at]);
    if (operator !== undefined && comparators.has(operator)) {
      at += 1;
      return { kind: "compare", operator: operator as Comparator, left, right: single() };
    }
    const infix = wordIn(dialect.infix);
    if (infix !== undefined) return { kind: "call", name: infix, args: [left, single()] };
    const postfix = wordIn(dialect.postfix);
    return postfix === undefined ? left : { kind: "call", name: postfix, args: [left] };
  }

  function single(): Expression {
    if (takes("not")) {
      if ((depth += 1) > deepest) throw new NotSayable("is nested too deeply");
      const part = single();
      depth -= 1;
      return { kind: "not", part };
    }
    if (takes("(")) return closed(either(), ")");
    if (takes("[")) return { kind: "call", name: "list", args: list("]") };
    if (takes(".")) return { kind: "self" };
    const isNegative = takes("-");
    const token = tokens[at] ?? unexpected();
    at += 1;
    if (token.kind === "number") return { kind: "literal", value: isNegative ? -token.value : token.value };
    if (isNegative) throw new NotSayable("calculates");
    if (token.kind === "reference") return { kind: "reference", name: token.name };
    if (token.kind === "text") return { kind: "literal", value: token.value };
    if (token.kind !== "word") {
      at -= 1;
      return unexpected();
    }
    return named(token.word);
  }

  function named(word: string): Expression {
    if (takes("(")) return { kind: "call", name: word.toLowerCase(), args: list(")") };
    if (/^(true|false)$/i.test(word)) return { kind: "literal", value: word.toLowerCase() === "true" };
    // A plain word is a column of the sheet `choices`; only XLSForm has them.
    return { kind: "call", name: "column", args: [{ kind: "literal", value: word }] };
  }

  function list(end: string): Expression[] {
    const args: Expression[] = [];
    if (takes(end)) return args;
    do args.push(either());
    while (takes(","));
    closed(args[0]!, end);
    return args;
  }

  function closed(expression: Expression, end: string): Expression {
    return takes(end) ? expression : unexpected();
  }

  const expression = either();
  return at === tokens.length ? expression : unexpected();
}
