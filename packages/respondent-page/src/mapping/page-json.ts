import type { PublicPage } from "@canvass/questions";
import { answerKey } from "@canvass/questions";
import type { Words } from "../words/words.ts";
import { mappedTypeOf } from "./mapped-types.ts";

/** Returns the SurveyJS JSON of a page. `item` is the choice that a repeated page is about. */
export function pageJson(page: PublicPage, item: { id: string; text: string } | null, words: Words) {
  const elements = page.elements.flatMap((question) => {
    const drawn = mappedTypeOf(question)?.draw(question, answerKey(question.id, item?.id ?? null), words);
    return drawn ? [drawn] : [];
  });
  const title = [page.title, item?.text].filter(Boolean).join(" – ");
  return { name: answerKey(page.id, item?.id ?? null), title, elements };
}
