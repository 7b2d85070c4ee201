import { asMarkdown, fillTemplate, isMarkdown, type PublicDefinition, type PublicElement } from "@canvass/questions";
import { plainText } from "../mapping/formatted-texts.ts";

export interface FirstPage {
  title: string | null;
  questions: { text: string; helpText: string | null }[];
}

const mostShown = 20;

/** Null if it depends on the respondent which page is the first. */
export function firstPageOf({ pages }: PublicDefinition): FirstPage | null {
  const [page] = pages;
  // Only the script knows whether a condition holds.
  if (!page || page.block !== undefined || page.showIf) return null;
  const shown = page.elements.filter(({ showIf }) => !showIf).slice(0, mostShown);
  return { title: page.title && untold(page.title), questions: shown.map(textsOf) };
}

function textsOf(element: PublicElement): FirstPage["questions"][number] {
  const { text, helpText } = element;
  const shown = (given: string) => plainText(element, untold(given, isMarkdown(element.settings)));
  return { text: shown(text ?? ""), helpText: helpText && shown(helpText) };
}

/** A text before anything is answered. It is blank if it depends on the respondent, until the page knows them. */
function untold(text: string, formatted = false): string {
  if (/\{\{\s*(?:field|contact)\./.test(text)) return "\u00a0";
  return fillTemplate(text, () => undefined, formatted ? asMarkdown : undefined);
}
