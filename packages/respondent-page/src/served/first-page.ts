import type { PublicDefinition } from "@canvass/questions";

export interface FirstPage {
  title: string | null;
  questions: { text: string; helpText: string | null }[];
}

const mostShown = 20;

export function firstPageOf({ pages }: PublicDefinition): FirstPage | null {
  const [page] = pages;
  if (!page) return null;
  const shown = page.elements.slice(0, mostShown);
  return { title: page.title, questions: shown.map(({ text, helpText }) => ({ text: text ?? "", helpText })) };
}
