import {
  hasBraces,
  pipedQuestion,
  pipedText,
  pipedValues,
  type Answers,
  type PipedRespondent,
  type PublicElement,
  type PublicPage,
  type Question,
  type SurveyDefinition,
  type ValueOf,
} from "@canvass/questions";

/** `tellsItem`: its title already names the item of a loop that it is about. */
export type ShownPage = PublicPage & { tellsItem?: boolean };

/**
 * Returns functions that write a respondent's answers into the texts of pages and elements. Without placeholders they
 * return the same object. Call `refresh` after answers changed.
 */
export function createPiping(stored: SurveyDefinition, answers: Answers, respondent: PipedRespondent) {
  const pages = new Map(stored.pages.map((page) => [page.pageId, page]));
  const isNeeded = hasBraces(JSON.stringify(stored.pages));
  const values = () => pipedValues(stored, answers, respondent);
  let current = values();
  const valueOf = (pageId: string | undefined, itemId: string | null): ValueOf =>
    current({ page: pages.get(pageId ?? "") ?? null, itemId });
  return {
    isNeeded,
    refresh: () => (current = values()),
    valueOf,
    page(page: PublicPage, itemId: string | null): ShownPage {
      if (page.title === null || !hasBraces(page.title)) return page;
      const title = pipedText(page.title, valueOf(page.id, itemId));
      return { ...page, title, tellsItem: /\{\{\s*loop\s*[|}]/.test(page.title) };
    },
    question(element: PublicElement, question: Question, pageId: string, itemId: string | null): PublicElement {
      if (!isNeeded) return element;
      const shown = pipedQuestion(question, valueOf(pageId, itemId));
      if (shown === question) return element;
      const { text, helpText, typeSettings: settings, choices, rows, columns } = shown;
      return {
        ...element,
        text,
        helpText,
        settings,
        ...(choices && { choices }),
        ...(rows && { rows }),
        ...(columns && { columns }),
      };
    },
  };
}
