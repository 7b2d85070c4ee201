import { AppError } from "@canvass/errors";
import { Lexer, type CST } from "yaml";

/** Maximum number of reported violations. */
export const maxReportedViolations = 100;
/** More than the largest survey has. Many more would exhaust the memory of the thread. */
const mostTokens = 2_000_000;
/** Markers that the lexer puts before plain and block texts. */
const scalarMark = "\u001f";
/** Signs of the lexer that do not stand in the text. */
const marks: ReadonlySet<string> = new Set(["\u0002", "\u0018", scalarMark]);

/**
 * Returns the text up to where it has too many tags of one's own and wrong escapes, else the whole text. A few bytes
 * make one, and each takes the parser more time and memory than a value. Throws `invalid_request` for too many tokens.
 */
export function cutTextAfterViolations(text: string): string {
  let [tokens, faults, offset, before] = [0, 0, 0, ""];
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > mostTokens)
      throw new AppError("invalid_request", {}, `The body has more than ${mostTokens} YAML tokens.`);
    if (before !== scalarMark && (token.startsWith("!") || token.startsWith('"'))) {
      for (const end of faultEnds(token)) {
        faults += 1;
        if (faults > maxReportedViolations) return text.slice(0, offset + end);
      }
    }
    if (!marks.has(token)) offset += token.length;
    before = token;
  }
  return text;
}

const coreTag = /^!(?:!(?:str|int|float|bool|null|map|seq))?$/;
const knownEscapes: ReadonlySet<string> = new Set('0abtnvfre "/\\N_LPxuU\t\r\n');

/** Where the faults of a tag or a quoted text end in it. */
function* faultEnds(token: string): Generator<number> {
  if (token.startsWith("!")) {
    if (!token.startsWith("!<") && !coreTag.test(token)) yield token.length;
    return;
  }
  for (let at = token.indexOf("\\"); at >= 0; at = token.indexOf("\\", at + 2)) {
    if (!knownEscapes.has(token.charAt(at + 1))) yield at + 2;
  }
}

/** Passes tokens on until too many stand where none may: each is a fault. */
export function* cutTokensAfterViolations(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let strays = 0;
  for (const token of tokens) {
    yield token;
    if (token.type === "error" || token.type === "directive") strays += 1;
    if (strays > maxReportedViolations) return;
  }
}
