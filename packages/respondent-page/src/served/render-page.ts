import { isEmbeddingOrigin } from "@canvass/values/embedding-origin";
import type { SurveySettings } from "@canvass/questions";
import type { FirstPage } from "./first-page.ts";
import { directionOf } from "../words/languages.ts";
import type { Words } from "../words/words.ts";
import { escapeHtml } from "@canvass/values";
import type { EntryFiles } from "./page-files.ts";
import { themeStyle } from "./theme-style.ts";

export interface ShownLink {
  name: string;
  description: string | null;
  language: string;
  display: SurveySettings["display"];
  welcome: SurveySettings["welcome"];
  /** Null if the link is closed or has a password. */
  firstPage: FirstPage | null;
  /** Why the link is closed; null if it is open. */
  message: string | null;
  allowIndexing: boolean;
  allowedOrigins: readonly string[];
}

export function renderLinkPage(link: ShownLink, words: Words, files: EntryFiles): string {
  const { language, name, display, allowedOrigins } = link;
  const body = `<div id="page" data-origins="${escapeHtml(allowedOrigins.join(" "))}">
${link.welcome.enabled && link.firstPage ? welcomeScreen(link, words) : firstScreen(link, words)}
</div>
<script type="module" src="/s/assets/${files.script}"></script>`;
  return document({
    language,
    title: name,
    theme: display.theme,
    style: themeStyle(display),
    head: `${link.allowIndexing ? "" : noindex}${styleLinks(files)}`,
    body,
  });
}

function firstScreen({ name, description, display, message, firstPage }: ShownLink, words: Words): string {
  return `<div class="survey by-${display.flow}">
<header>${logo(display)}<h1>${escapeHtml(name)}</h1>${paragraph(description)}</header>
<main class="first">${message === null ? questions(display.flow === "question" ? onlyFirst(firstPage) : firstPage) + late(words) : paragraph(message)}
${noScript(words)}</main>
</div>`;
}

/** As `page/welcome.tsx` draws it, with the button's place empty. */
function welcomeScreen({ name, description, display, welcome }: ShownLink, words: Words): string {
  return `<main class="notice welcome">${logo(display)}<h1>${escapeHtml(welcome.title ?? name)}</h1>
${paragraph(welcome.text ?? description)}${late(words)}
${noScript(words)}</main>`;
}

export function renderNotice(title: string, text: string, files: EntryFiles): string {
  const body = `<main class="notice"><h1>${escapeHtml(title)}</h1>${paragraph(text)}</main>`;
  return document({ language: "en", title, theme: "light", style: "", head: noindex + styleLinks(files), body });
}

/** Returns the Content-Security-Policy. Skips embedding origins that only older rules accepted. */
export function pagePolicy(allowedOrigins: readonly string[]): string {
  const ancestors = allowedOrigins.filter(isEmbeddingOrigin);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(" ") : "'none'"}`,
  ].join("; ");
}

const noindex = '<meta name="robots" content="noindex">';
const styleLinks = ({ styles }: EntryFiles) =>
  styles.map((name) => `<link rel="stylesheet" href="/s/assets/${name}">`).join("");
const paragraph = (text: string | null) => (text ? `<p class="plain">${escapeHtml(text)}</p>` : "");

const logo = ({ logo }: ShownLink["display"]) =>
  logo === null ? "" : `<img class="logo" src="${escapeHtml(logo)}" alt="">`;
const noScript = (words: Words) => `<noscript><p>${escapeHtml(words.needsScript)}</p></noscript>`;

/** Appears after a delay if the script does not run. */
const late = (words: Words) => `<p class="late">${escapeHtml(words.notStarted)}</p>`;

const onlyFirst = (page: FirstPage | null) => page && { ...page, questions: page.questions.slice(0, 1) };

function questions(page: FirstPage | null): string {
  if (!page) return "";
  const title = page.title ? `<h2>${escapeHtml(page.title)}</h2>` : "";
  const items = page.questions.map(({ text, helpText }) => {
    const help = helpText ? `<br>${escapeHtml(helpText)}` : "";
    return `<li>${escapeHtml(text)}${help}</li>`;
  });
  return `${title}<ol>${items.join("")}</ol>`;
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
  const direction = directionOf(language);
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}" data-theme="${theme}" style="${escapeHtml(style)}">
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
