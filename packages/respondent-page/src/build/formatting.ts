import type { MarkedExtension, Marked as Parser, Token } from "marked";

let Engine: typeof Parser | undefined;

/** Replaces marked in the bundle. The engine has 15 KB and loads only for surveys with Markdown. */
export class Marked {
  readonly #options: MarkedExtension;
  #parser: Parser | undefined;

  constructor(options: MarkedExtension) {
    this.#options = options;
  }

  lexer(text: string): Token[] {
    if (!Engine) throw new Error("the formatting is not loaded");
    this.#parser ??= new Engine(this.#options);
    return this.#parser.lexer(text);
  }
}

export async function loadFormatting(): Promise<void> {
  Engine ??= (await import("marked-engine")).Marked;
}
