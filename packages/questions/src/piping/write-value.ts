import type { WriteValue } from "./template.ts";

/** The most characters of a value. */
const longest = 300;
/** Marks that turn the direction of the text around a value. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const [isolate, pop] = ["\u2068", "\u2069"];

/** Writes a value on one line, shortened, so that its direction does not turn the text around it. */
export const asText: WriteValue = (value) => {
  const line = shorten(value.replaceAll(directions, "").replace(/\s+/g, " ").trim());
  return rightToLeft.test(line) ? isolate + line + pop : line;
};

/** A character has at most two UTF-16 units. */
function shorten(line: string): string {
  const characters = Array.from(line.slice(0, 2 * longest + 2));
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line;
}

const marks = /[!-/:-@[-`{-~]/g;
/** The end of a text in which an address of Markdown has begun. */
const inMarkdownAddress = /(?:\]\(<?|https?:\/\/|mailto:)[^\s()]*$/i;

/** Writes a value into Markdown as literal text, its marks escaped; within an address, percent-encoded. */
export const asMarkdown: WriteValue = (value, before) => {
  const address = inMarkdownAddress.exec(before)?.[0];
  if (address === undefined) return asText(value, before).replaceAll(marks, "\\$&");
  return inAddress(value, address.replace(/^\]\(<?/, ""));
};

/** A scheme and a host up to what ends it, or `mailto:` up to `?`: a value behind it changes no host or recipient. */
const hasOrigin = /^(?:https?:\/\/[^/?#\\\s{}]+[/?#]|mailto:.*\?)/i;

export const isBehindOrigin = (before: string): boolean => hasOrigin.test(before);

/** Writes a value into an address, encoded. Where it would be part of the scheme or the host, nothing is written. */
export const asAddress: WriteValue = (value, before) => inAddress(value, before);

function inAddress(value: string, before: string): string {
  if (!isBehindOrigin(before)) return "";
  const line = shorten(value.replaceAll(directions, "").trim());
  return encodeURIComponent(line.replaceAll(/\p{Surrogate}/gu, "\ufffd")).replaceAll(/[!'()*~_]/g, encoded);
}

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The text before a placeholder from the start of a URL on, if the placeholder is within that URL. */
export const markdownAddressIn = (before: string): string | undefined =>
  inMarkdownAddress.exec(before)?.[0].replace(/^\]\(<?/, "");
