import type { ShownPage } from "./piping.ts";
import { answerKey } from "@canvass/questions";
import type { Words } from "../words/words.ts";
import { mappedTypeOf } from "./mapped-types.ts";

/** Returns the SurveyJS JSON of a page. `item` is the choice that a repeated page is about, which its title may tell. */
export function pageJson(page: ShownPage, item: { id: string; text: string } | null, words: Words) {
  const elements = page.elements.flatMap((question) => {
    const drawn = mappedTypeOf(question)?.draw(question, answerKey(question.id, item?.id ?? null), words);
    return drawn ? [drawn] : [];
  });
  return { name: answerKey(page.id, item?.id ?? null), title: titleOf(page, item), elements };
}

export const titleOf = ({ title, tellsItem }: ShownPage, item: { text: string } | null): string =>
  [title, !tellsItem && item?.text].filter(Boolean).join(" – ");
