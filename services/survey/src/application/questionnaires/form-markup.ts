import type { JsonObject } from "@canvass/values";
import { objectAt, textAt } from "./json-values.ts";
import { fitText, withoutHtml } from "./texts.ts";
import type { ReportItem } from "./report.ts";

// Texts of an XLSForm may have HTML and Markdown. All other signs are what they are, as in "a < b & c".
const tags =
  "a|abbr|audio|b|big|blockquote|br|center|code|div|em|font|h[1-6]|hr|i|iframe|img|ins|kbd|label|li|mark|object|ol|p|pre|s|script|small|span|strike|strong|style|sub|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|video";
const tag = String.raw`<(?=/?(?:${tags})(?:\s[^<>]*)?/?>)`;
const entity = String.raw`&(?=(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)`;
const markup = new RegExp(`${tag}|${entity}`, "gi");
const others = new RegExp(`(?!${tag}|${entity})[<&]`, "gi");

const escaped = (sign: string): string => (sign === "<" ? "&lt;" : "&amp;");
const escapes = /&(lt|amp);/g;

/** Like `fitText`, for a text of a form without its HTML. `item` also reports what is lost without it. */
export function fitLabel(given: string | undefined, most: number, item: ReportItem): string | undefined {
  // A text without other markup keeps its blanks and lines.
  if (given === undefined || given.replaceAll(escapes, "").search(markup) === -1)
    return fitText(
      given?.replaceAll(escapes, (_, name) => (name === "lt" ? "<" : "&")),
      most,
      item,
    );
  const html = given.replaceAll(others, escaped).replaceAll(/\r?\n/g, "<br>");
  return fitText(withoutHtml(html, item), most, item);
}

/** Writes a text so that no sign in it is read as HTML. */
export const escapeMarkup = (text: string): string => text.replaceAll(markup, escaped);

const marks =
  /\*\*[^\s*][^*\n]*\*\*|(?<![*\w])\*[^\s*](?:[^*\n]*[^\s*])?\*(?![*\w])|\[[^\][\n]+\]\((?:https?|mailto):[^\s()]+\)/;

/** Whether a form shows texts of an element with emphasis or links, since they have marks of Markdown. */
export function hasMarks(element: JsonObject): boolean {
  const inLanguages = Object.values(objectAt(element, "translations"));
  return [element, ...inLanguages].some(
    (texts) => marks.test(textAt(texts, "text")) || marks.test(textAt(texts, "helpText")),
  );
}
