import { isStorable } from "@canvass/values";
import { change, type ReportItem } from "./report.ts";
import { htmlText } from "./files/html-text.ts";

/** The most characters of texts in a document. */
export const longest = {
  name: 200,
  text: 4_000,
  helpText: 4_000,
  title: 200,
  entry: 500,
  message: 300,
  description: 5_000,
  setting: 5_000,
};

/** Makes a text storable and cuts it to `most` characters, which `item` reports. Undefined if nothing is visible. */
export function fitText(given: unknown, most: number, item: ReportItem): string | undefined {
  const text = String(typeof given === "string" || typeof given === "number" || typeof given === "boolean" ? given : "")
    .toWellFormed()
    .replaceAll("\0", "")
    .trim();
  if (!/[^\s\p{C}]/u.test(text) || !isStorable(text)) return undefined;
  if (text.length <= most) return text;
  change(item, `a text is cut after ${most} characters`);
  return `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** Like `fitText`, for the text of HTML. `item` also reports what is lost without markup. */
export function fitHtml(given: unknown, most: number, item: ReportItem): string | undefined {
  return fitText(plainBraces(withoutHtml(typeof given === "string" ? given : "", item)), most, item);
}

/** Returns the text of HTML. `item` reports what is lost without markup. */
export function withoutHtml(html: string, item: ReportItem): string {
  const { text, lost } = htmlText(html);
  if (lost.length > 0) change(item, `loses ${lost.join(", ")}`);
  return text;
}

/** Keeps braces from being read as placeholders. */
export const plainBraces = (text: string): string => text.replaceAll("{{", "\\{{");
