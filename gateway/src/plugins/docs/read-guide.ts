import type { Token, Tokens } from "marked";
import { readFile } from "node:fs/promises";
import type { Guide } from "./guides.ts";

/** A part of a page with its own URL fragment. */
export interface Section {
  id: string;
  heading: string;
  text: string;
}

export interface RenderedGuide {
  title: string;
  html: string;
  sections: Section[];
}

/** Captions of code blocks by the word after the language. A file name is a caption, too. */
const captions: Readonly<Record<string, string>> = { output: "output", "second-terminal": "in a second terminal" };

/** Renders a page with `apiUrl` and the address of the installation in its commands. */
export async function readGuide({ source }: Guide, apiUrl: string): Promise<RenderedGuide> {
  const { Marked, Renderer } = await import("marked");
  const renderer = new Renderer();
  const usual = { code: renderer.code.bind(renderer), table: renderer.table.bind(renderer) };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A rule of the contract starts with its number.
      paragraph(token) {
        const rule = ruleOf(token);
        return `<p${rule ? ` id="${rule.id}"` : ""}>${this.parser.parseInline(token.tokens)}</p>\n`;
      },
      // A code block may name a file or command after the language.
      code(token) {
        const [lang = "", name = ""] = (token.lang ?? "").split(" ");
        const caption = name.includes(".") ? name : captions[name];
        const shown = caption ? `<figcaption>${caption}</figcaption>` : "";
        // Long lines scroll, also by the keyboard.
        const block = usual.code({ ...token, lang }).replace("<pre>", '<pre tabindex="0">');
        return `<figure data-name="${name}">${shown}${block}</figure>\n`;
      },
      table(token) {
        renderer.parser = this.parser;
        return `<div class="table" tabindex="0">${usual.table(token)}</div>\n`;
      },
    },
  });
  const text = (await readFile(source, "utf8"))
    .replaceAll("{{api}}", apiUrl)
    .replaceAll("{{url}}", apiUrl.replace(/\/api\/v1$/, ""));
  const tokens = marked.lexer(text);
  return { title: titleOf(tokens), html: marked.parser(tokens), sections: sectionsOf(tokens) };
}

const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

const titleOf = (tokens: Token[]): string => (tokens.find(({ type }) => type === "heading") as Tokens.Heading).text;

function ruleOf({ raw }: { raw: string }): Pick<Section, "id" | "heading"> | undefined {
  const [, id, name] = /^\*\*(\d+\.\d+) ([^*]+?)\.?\*\*/.exec(raw) ?? [];
  return id ? { id, heading: `${id} ${name}` } : undefined;
}

function sectionsOf(tokens: Token[]): Section[] {
  const sections: Section[] = [];
  for (const token of tokens) {
    const begun = token.type === "heading" ? { id: slugOf(token.text), heading: token.text } : ruleOf(token);
    if (begun) sections.push({ ...begun, text: "" });
    if (token.type !== "heading") sections.at(-1)!.text += plainText(token.raw);
  }
  return sections;
}

/** Returns the text without Markdown, languages of code blocks, and a rule's own number and name. */
const plainText = (markdown: string): string =>
  markdown
    .replace(/^\*\*\d+\.\d+ [^*]+\*\*/, "")
    .replaceAll(/^```.*$/gm, "")
    .replaceAll(/<[^>]*>|[`*|#\s]+|-{3,}|\]\([^)]*\)|\[/g, " ");
