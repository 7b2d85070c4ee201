import { isMarkdown, markdownToHtml, markdownToText, type PublicElement } from "@canvass/questions";

/** A text of an element as it reads, without marks: for titles, summaries and screen readers. */
export function plainText({ settings }: Pick<PublicElement, "settings">, text: string): string {
  return isMarkdown(settings) ? markdownToText(text) : text;
}

/** The HTML that SurveyJS shows for a title or description; undefined for plain text. */
export function formattedText(
  { text, helpText, settings }: PublicElement,
  place: string,
  shown: string,
): string | undefined {
  if (!isMarkdown(settings)) return undefined;
  const source = { title: text, description: helpText }[place] ?? null;
  // A description may hold more than the help text.
  if (source === null || markdownToText(source) !== shown) return undefined;
  return markdownToHtml(source, { withLinks: true });
}
