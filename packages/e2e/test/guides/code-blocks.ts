import { marked } from "marked";

export interface CodeBlock {
  language: string;
  /** The second word after the fence: a file's name, or what readers do with the block. Empty without one. */
  name: string;
  /** With its last line break. */
  code: string;
}

/** Finds all code blocks of a page, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  // `walkTokens` collects promises only of functions that return one.
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type !== "code") return;
    const [language = "", name = ""] = (token.lang ?? "").split(" ");
    blocks.push({ language, name, code: `${token.text}\n` });
  });
  return blocks;
}

/** The files among the blocks: those whose name has an extension. */
export const filesOf = (blocks: readonly CodeBlock[]): Map<string, string> =>
  new Map(blocks.filter(({ name }) => name.includes(".")).map(({ name, code }) => [name, code]));
