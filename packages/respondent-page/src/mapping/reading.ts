import { escapeHtml } from "../served/escape-html.ts";
import type { MappedType } from "./mapped-type.ts";

const noAnswer = { toData: () => ({}), toValue: () => undefined };

/** Escapes the texts, because SurveyJS shows text only as HTML. */
function paragraphs(title: string | null, ...texts: (string | null)[]): string {
  const body = texts.filter(Boolean).map((text) => `<p>${escapeHtml(text!)}</p>`);
  return `<div class="reading">${title ? `<h3>${escapeHtml(title)}</h3>` : ""}${body.join("")}</div>`;
}

export const statement: MappedType = {
  draw: ({ text, helpText, settings }, name) => ({
    type: "html",
    name,
    html: paragraphs(text, settings["text"] as string, helpText),
  }),
  ...noAnswer,
};
