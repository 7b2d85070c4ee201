import { AppError } from "@canvass/errors";
import { Lexer, type CST } from "yaml";

/** Maximum number of reported violations. */
export const maxReportedViolations = 100;
/** More than the largest survey has. Many more would exhaust the memory of the thread. */
const mostTokens = 2_000_000;
/** Markers that the lexer puts before plain and block texts. */
const scalarMark = "\u001f";
/** Tokens of the lexer that are not part of the text. */
const marks: ReadonlySet<string> = new Set(["\u0002", "\u0018", scalarMark]);

/**
 * Returns the text up to the first custom tag or wrong escape beyond `maxReportedViolations`, or the whole text. Each
 * is a few bytes long, and takes the parser more time and memory than a value. Throws `invalid_request` for too many
 * tokens.
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

/** Yields where each custom tag or wrong escape of a token ends in it. */
function* faultEnds(token: string): Generator<number> {
  if (token.startsWith("!")) {
    if (!token.startsWith("!<") && !coreTag.test(token)) yield token.length;
    return;
  }
  for (let at = token.indexOf("\\"); at >= 0; at = token.indexOf("\\", at + 2)) {
    if (!knownEscapes.has(token.charAt(at + 1))) yield at + 2;
  }
}

/** Yields tokens up to the first error or directive beyond `maxReportedViolations`. Each causes a violation. */
export function* cutTokensAfterViolations(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let strays = 0;
  for (const token of tokens) {
    yield token;
    if (token.type === "error" || token.type === "directive") strays += 1;
    if (strays > maxReportedViolations) return;
  }
}
