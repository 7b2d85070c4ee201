import { asMarkdown, fillTemplate, isMarkdown, type PublicDefinition, type PublicElement } from "@canvass/questions";
import { plainText } from "../mapping/formatted-texts.ts";

export interface FirstPage {
  title: string | null;
  questions: { text: string; helpText: string | null }[];
}

const mostShown = 20;

/**
 * Null if it depends on the respondent which page is the first. Without questions if it depends on them which is the
 * first of the page.
 */
export function firstPageOf({ pages }: PublicDefinition): FirstPage | null {
  const [page] = pages;
  // Only the script knows whether a condition holds.
  if (!page || page.block !== undefined || page.showIf) return null;
  const sure = page.elements.filter(({ showIf }) => !showIf);
  if (page.elements.length > 0 && sure.length === 0) return null;
  const shown = page.shuffle || page.elements[0] !== sure[0] ? [] : sure.slice(0, mostShown);
  return { title: page.title && beforeAnswers(page.title), questions: shown.map(textsOf) };
}

function textsOf(element: PublicElement): FirstPage["questions"][number] {
  const { text, helpText } = element;
  const shown = (given: string) => plainText(element, beforeAnswers(given, isMarkdown(element.settings)));
  return { text: shown(text ?? ""), helpText: helpText && shown(helpText) };
}

/** A text before anything is answered. It is blank if it names a field or the contact, until the script fills it in. */
function beforeAnswers(text: string, formatted = false): string {
  if (/\{\{\s*(?:field|contact)\./.test(text)) return "\u00a0";
  return fillTemplate(text, () => undefined, formatted ? asMarkdown : undefined);
}
