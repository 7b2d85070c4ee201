import { isBlank } from "@canvass/values";
import type { Page } from "../definition.ts";
import { mapTemplates, mapTranslations, pipedElementIds, templatesOf, translatedPlaces } from "./piped-texts.ts";
import { replacePlaceholders } from "./template.ts";

/** Replaces a text that had nothing but the answer. */
const rest = "…";

/** Writes defaults in the place of an element's answer. A page without it stays the same object. */
export function withoutPiped(page: Page, elementId: string): Page {
  const remove = withoutPlaceholders((name) => name === elementId);
  const names = (text: string) => pipedElementIds(text).includes(elementId);
  const elements = page.elements.map((question) =>
    templatesOf(question).some(({ text }) => names(text)) ? mapTemplates(question, remove) : question,
  );
  const isSame = elements.every((question, at) => question === page.elements[at]);
  const kept = isSame ? page : { ...page, elements };
  const { title, translations } = kept;
  const texts = [title ?? "", ...translatedPlaces(translations).map(({ text }) => text)];
  if (title === null || !texts.some(names)) return kept;
  return {
    ...kept,
    title: remove(title),
    ...(translations && { translations: mapTranslations(translations, remove) }),
  };
}

/** Returns a function that writes defaults in the place of the names that `goes` selects. */
export function withoutPlaceholders(goes: (name: string) => boolean): (text: string) => string {
  return (text) => {
    const left = replacePlaceholders(text, (name, fallback) => (goes(name) ? (fallback ?? "") : undefined));
    return isBlank(left) && !isBlank(text) ? rest : left;
  };
}
