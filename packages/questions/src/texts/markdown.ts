import { Marked, type Token, type Tokens } from "marked";

/** Constructs that texts do not support: their marks are shown literally. */
const none = () => undefined;
const absent = {
  code: none,
  fences: none,
  heading: none,
  lheading: none,
  hr: none,
  blockquote: none,
  html: none,
  tag: none,
  def: none,
  reflink: none,
  table: none,
  codespan: none,
  del: none,
};

const parser = new Marked({ gfm: true, breaks: true, tokenizer: absent });

const longestIndent = 12;
/** More than four lists in lists, begun on one line. */
const deepLine = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){5}/;

/**
 * Parses a text as Markdown: emphasis, lists, links, pictures and line breaks. Long blanks are shortened; lists that
 * are too deep, and a text that is too deep to parse, stay literal. So the time depends on the text's length alone.
 */
export function parseMarkdown(text: string): Token[] {
  const lines = text.split("\n").map((line) => {
    const blank = line.length - line.trimStart().length;
    const shortened = " ".repeat(Math.min(blank, longestIndent)) + line.slice(blank).replace(/[^\S\n]{9,}/g, " ");
    return deepLine.test(shortened.trimStart()) ? shortened.replace(/[-*+.)]/, "\\$&") : shortened;
  });
  try {
    return parser.lexer(lines.join("\n"));
  } catch {
    return [{ type: "text", raw: text, text, escaped: false } satisfies Tokens.Text];
  }
}
