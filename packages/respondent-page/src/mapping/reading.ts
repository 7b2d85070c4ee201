import { isMarkdown, markdownToHtml, type PublicElement } from "@canvass/questions";
import { escapeHtml } from "@canvass/values";
import type { MappedType } from "./mapped-type.ts";

const noAnswer = { toData: () => ({}), toValue: () => undefined };

/** Escapes or renders the texts, because SurveyJS shows text only as HTML. */
function paragraphs({ text, helpText, settings }: PublicElement): string {
  const isFormatted = isMarkdown(settings);
  const shown = (each: string) => (isFormatted ? markdownToHtml(each, { withLinks: true }) : escapeHtml(each));
  const tag = isFormatted ? "div" : "p";
  const body = [settings["text"] as string, helpText].flatMap((each) =>
    each ? `<${tag}>${shown(each)}</${tag}>` : [],
  );
  return `<div class="reading">${text ? `<h3>${shown(text)}</h3>` : ""}${body.join("")}</div>`;
}

export const statement: MappedType = {
  draw: (question, name) => ({ type: "html", name, html: paragraphs(question) }),
  ...noAnswer,
};
