import type { PublicDefinition, SurveySettings } from "@canvass/questions";
import { directionOf, spokenLanguage } from "../words/languages.ts";
import type { Words } from "../words/words.ts";
import { colorsOf } from "./colors.ts";
import { escapeHtml } from "./escape-html.ts";
import type { EntryFiles } from "./page-files.ts";

/** What the page of a link shows before its script arrives. */
export interface ShownLink {
  code: string;
  name: string;
  description: string | null;
  language: string;
  display: SurveySettings["display"];
  /** Null while it is closed or behind a password. */
  definition: PublicDefinition | null;
  /** Why it takes no answers. */
  message: string | null;
  allowIndexing: boolean;
  allowedOrigins: readonly string[];
}

/** The page of a link: its title and first questions as text, and the files that draw it. */
export function renderLinkPage(link: ShownLink, words: Words, files: EntryFiles): string {
  const { code, language, name, description, display, allowedOrigins, definition } = link;
  const { primary, onPrimary } = colorsOf(display.theme, display.primaryColor);
  const body = `<div id="page" data-origins="${escapeHtml(allowedOrigins.join(" "))}">
<div class="survey">
<header><h1>${escapeHtml(name)}</h1>${paragraph(description)}</header>
<main class="first">${link.message === null ? firstPage(definition) : paragraph(link.message)}
<noscript><p>${escapeHtml(words.needsScript)}</p></noscript></main>
</div>
</div>
<script type="module" src="/s/assets/${files.script}"></script>`;
  return document({
    language,
    title: name,
    theme: display.theme,
    style: `--primary: ${primary}; --on-primary: ${onPrimary}`,
    head: `${link.allowIndexing ? "" : noindex}${styleLinks(files)}
<link rel="preload" as="fetch" crossorigin="anonymous" href="/public/v1/links/${encodeURIComponent(code)}">`,
    body,
  });
}

/** The page of an address without a link. */
export function renderNotFound(words: Words, language: string, files: EntryFiles): string {
  const body = `<main class="notice"><h1>${escapeHtml(words.notFound)}</h1>${paragraph(words.notFoundHint)}</main>`;
  return document({ language, title: words.notFound, theme: "light", style: "", head: noindex + styleLinks(files), body });
}

/** Scripts and styles come from here only. Pictures of surveys come from anywhere by https. */
export function pagePolicy(allowedOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${allowedOrigins.length > 0 ? allowedOrigins.join(" ") : "'none'"}`,
  ].join("; ");
}

const noindex = '<meta name="robots" content="noindex">';
const styleLinks = ({ styles }: EntryFiles) =>
  styles.map((name) => `<link rel="stylesheet" href="/s/assets/${name}">`).join("");
const paragraph = (text: string | null) => (text ? `<p class="plain">${escapeHtml(text)}</p>` : "");

/** As many questions as a person reads at first: a page may have hundreds. */
const mostShown = 20;

function firstPage(definition: PublicDefinition | null): string {
  const [page] = definition?.pages ?? [];
  if (!page) return "";
  const title = page.title ? `<h2>${escapeHtml(page.title)}</h2>` : "";
  const questions = page.elements
    .slice(0, mostShown)
    .map(({ text, helpText }) => `<li>${escapeHtml(text ?? "")}${helpText ? `<br>${escapeHtml(helpText)}` : ""}</li>`);
  return `${title}<ol>${questions.join("")}</ol>`;
}

interface Document {
  language: string;
  title: string;
  theme: string;
  style: string;
  head: string;
  body: string;
}

function document({ language, title, theme, style, head, body }: Document): string {
  const direction = spokenLanguage(language) === "en" ? "ltr" : directionOf(language);
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}" data-theme="${theme}" style="${style}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="/favicon.svg">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
