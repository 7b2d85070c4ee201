import { findElement, type PublicDefinition, type SurveyDefinition } from "@canvass/questions";

/** Gives each question the choices that it takes from an earlier one. */
export function showCarriedChoices(definition: PublicDefinition, stored: SurveyDefinition): PublicDefinition {
  const pages = definition.pages.map((page) => ({
    ...page,
    elements: page.elements.map((element) => {
      const carried = element.choicesFrom && findElement(stored, element.id)?.question.choices;
      return carried ? { ...element, choices: carried } : element;
    }),
  }));
  return { ...definition, pages };
}
