import { escapeHtml } from "@canvass/values";
import type { Token, Tokens } from "marked";
import { parseMarkdown } from "./markdown.ts";

export interface RenderOptions {
  /** Links, and pictures from elsewhere. Without them their words are shown. */
  withLinks: boolean;
}

/**
 * Renders Markdown as HTML that has only paragraphs, lists, emphasis, line breaks, links with https and mailto, and
 * pictures by https. Everything else is shown literally. The result is safe to insert.
 */
export function markdownToHtml(text: string, options: RenderOptions): string {
  const tokens = parseMarkdown(text).filter(({ type }) => type !== "space");
  const [only] = tokens;
  // A single paragraph is part of a line.
  if (tokens.length === 1 && only?.type === "paragraph") return htmlOf(partsOf(only) ?? [], options);
  return htmlOf(tokens, options);
}

const htmlOf = (tokens: readonly Token[], options: RenderOptions): string =>
  tokens.map((token) => tokenHtml(token, options)).join("");

function tokenHtml(token: Token, options: RenderOptions): string {
  const inner = () => htmlOf(partsOf(token) ?? [], options);
  switch (token.type) {
    case "space":
      return "";
    case "paragraph":
      return `<p>${inner()}</p>`;
    case "list":
      return listHtml(token as Tokens.List, options);
    case "strong":
      return `<strong>${inner()}</strong>`;
    case "em":
      return `<em>${inner()}</em>`;
    case "br":
      return "<br>";
    case "link":
      return linkHtml(token as Tokens.Link, options);
    case "image":
      return imageHtml(token as Tokens.Image, options);
    case "escape":
      return escapeHtml(token.text);
    case "text":
      return partsOf(token) ? inner() : escapeHtml(token.text);
    default:
      return shown(token);
  }
}

function listHtml({ ordered, start, items }: Tokens.List, options: RenderOptions): string {
  const list = items.map(({ tokens }) => `<li>${htmlOf(tokens, options)}</li>`).join("");
  if (!ordered) return `<ul>${list}</ul>`;
  return `<ol${Number(start) > 1 ? ` start="${Number(start)}"` : ""}>${list}</ol>`;
}

function linkHtml(link: Tokens.Link, options: RenderOptions): string {
  if (!isSafeLink(link.href)) return shown(link);
  const inner = htmlOf(link.tokens, options);
  return options.withLinks ? `<a ${attributes({ href: link.href, ...opened })}>${inner}</a>` : inner;
}

function imageHtml(image: Tokens.Image, { withLinks }: RenderOptions): string {
  if (!hasScheme(image.href, ["https:"])) return shown(image);
  if (!withLinks) return escapeHtml(image.text);
  return `<img ${attributes({ src: image.href, alt: image.text, loading: "lazy", referrerpolicy: "no-referrer" })}>`;
}

/** Writes Markdown as text: marks are taken off, links and pictures become their words. */
export function markdownToText(text: string): string {
  return blockTexts(parseMarkdown(text)).join("\n");
}

function blockTexts(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === "space") return [];
    return token.type === "list" ? (token as Tokens.List).items.map(itemText) : [inlineText(token)];
  });
}

function itemText({ tokens }: Tokens.ListItem): string {
  const boxes = tokens.filter(({ type }) => type === "checkbox").map(({ raw }) => raw);
  const rest = blockTexts(tokens.filter(({ type }) => type !== "checkbox"));
  return `- ${boxes.join("")}${rest.join("\n  ")}`;
}

function inlineText(token: Token): string {
  const inner = () => (partsOf(token) ?? []).map(inlineText).join("");
  if (token.type === "br") return "\n";
  if (token.type === "escape") return token.text;
  if (token.type === "link") return isSafeLink(token.href) ? inner() : token.raw;
  if (token.type === "image") return hasScheme(token.href, ["https:"]) ? token.text : token.raw;
  if (partsOf(token)) return inner();
  return token.type === "text" ? token.text : token.raw;
}

const partsOf = (token: Token): Token[] | undefined => ("tokens" in token ? token.tokens : undefined);

/** Links in texts open in a new tab, without a referrer. */
const opened = { target: "_blank", rel: "noopener noreferrer nofollow" };

const isSafeLink = (href: string): boolean => hasScheme(href, ["https:", "mailto:"]);

function hasScheme(address: string, schemes: readonly string[]): boolean {
  return URL.canParse(address) && schemes.includes(new URL(address).protocol);
}

const shown = ({ raw }: Token): string => escapeHtml(raw);

const attributes = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(" ");
