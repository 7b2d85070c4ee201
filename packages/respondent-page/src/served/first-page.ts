import type { PublicDefinition, PublicElement } from "@canvass/questions";
import { plainText } from "../mapping/formatted-texts.ts";

export interface FirstPage {
  title: string | null;
  questions: { text: string; helpText: string | null }[];
}

const mostShown = 20;

export function firstPageOf({ pages }: PublicDefinition): FirstPage | null {
  const [page] = pages;
  // Only the script knows whether a condition holds.
  if (!page || page.showIf) return null;
  const shown = page.elements.filter(({ showIf }) => !showIf).slice(0, mostShown);
  return { title: page.title, questions: shown.map(textsOf) };
}

function textsOf(element: PublicElement): FirstPage["questions"][number] {
  const { text, helpText } = element;
  return { text: plainText(element, text ?? ""), helpText: helpText && plainText(element, helpText) };
}
