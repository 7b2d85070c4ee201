import type { Page } from "@canvass/proto/survey-elements";
import { orderElementsBody, patchPageBody, loopSchema } from "@canvass/questions";
import { Type } from "typebox";
import { condition } from "../condition-schemas.ts";
import { id, idParam, named, nullableText, withExamples, shownAs } from "../schemas.ts";

export const pageParams = Type.Object({
  surveyId: idParam("id of a survey"),
  pageId: idParam("id of one of its pages"),
});

export const documentedPatchPage = withExamples(patchPageBody, {
  rename: { summary: "Another title", value: { title: "About you" } },
  skip: {
    summary: "Done after this page when nothing was answered",
    value: {
      skipLogic: [{ when: { elementId: "01h8x3k9q2w7d1ej", operator: "not_answered" }, goTo: "end" }],
    },
  },
  shuffle: { summary: "Its elements in an order of each respondent's own", value: { shuffle: true } },
  block: {
    summary: "Shuffled with the other pages of its block",
    value: { block: "topics", loop: null, skipLogic: [] },
  },
  showIf: {
    summary: "Shown to everybody again",
    value: { showIf: null },
  },
  noLoop: { summary: "No longer repeated", value: { loop: null } },
});

export const documentedOrderElements = withExamples(orderElementsBody, {
  order: {
    summary: "The page with its elements in their new order",
    value: {
      pageId: "01h8x3k9q2m4a7zp",
      elementIds: ["01h8x3k9q2z4k6vn", "01h8x3k9q2w7d1ej", "01h8x3k9q2x5g9hs"],
    },
  },
});

export const pageSchema = named("SurveyPage", {
  id,
  surveyId: id,
  sortOrder: Type.Integer({ description: "place in the survey" }),
  title: nullableText,
  loop: Type.Unsafe<{ elementId: string; shuffle?: boolean } | null>({ ...loopSchema, type: ["object", "null"] }),
  showIf: condition,
  skipLogic: Type.Array(shownAs("SkipRule"), { description: "the first rule that holds as the page is left decides" }),
  shuffle: Type.Boolean({ description: "each respondent has an own order of its elements" }),
  block: { ...nullableText, description: "each respondent has an own order of the pages that have it" },
  elementIds: Type.Array(id, { description: "its elements in order" }),
});

/** A page as callers see it (contract 6.9). */
export function pageView(page: Page) {
  const { pageId, surveyId, sortOrder, title, loopElementId, shufflesItems, showIfJson, skipLogicJson } = page;
  const { shuffle, block, elementIds } = page;
  return {
    id: pageId,
    surveyId,
    sortOrder,
    title: title ?? null,
    loop: loopElementId === "" ? null : { elementId: loopElementId, ...(shufflesItems && { shuffle: true }) },
    showIf: showIfJson === "" ? null : (JSON.parse(showIfJson) as object),
    skipLogic: JSON.parse(skipLogicJson) as unknown,
    shuffle,
    block: block || null,
    elementIds,
  };
}
