import type { Page } from "@canvass/proto/survey-elements";
import { orderElementsBody, patchPageBody, loopSchema } from "@canvass/questions";
import { Type } from "typebox";
import { conditionOrNull } from "../condition-schemas.ts";
import { id, idParam, named, nullableText, withExamples, shownAs } from "../schemas.ts";

export const pageParams = Type.Object({
  surveyId: idParam("id of a survey"),
  pageId: idParam("id of one of its pages"),
});

export const documentedPatchPage = withExamples(patchPageBody, {
  rename: { summary: "Changes the title", value: { title: "About you" } },
  skip: {
    summary: "Ends the survey after this page if nothing was answered",
    value: {
      skipLogic: [{ when: { elementId: "01h8x3k9q2w7d1ej", operator: "not_answered" }, goTo: "end" }],
    },
  },
  shuffle: { summary: "Shuffles its elements for each respondent", value: { shuffle: true } },
  block: {
    summary: "Shuffled with the other pages of its block",
    value: { block: "topics", loop: null, skipLogic: [] },
  },
  showIf: {
    summary: "Removes the condition: shown to all respondents",
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
  sortOrder: Type.Integer({ description: "position in the survey" }),
  title: nullableText,
  loop: Type.Unsafe<{ elementId: string; shuffle?: boolean } | null>({ ...loopSchema, type: ["object", "null"] }),
  showIf: conditionOrNull,
  skipLogic: Type.Array(shownAs("SkipRule"), {
    description: "when the respondent leaves the page, the first rule that holds decides",
  }),
  shuffle: Type.Boolean({ description: "its elements are shuffled for each respondent" }),
  block: { ...nullableText, description: "pages with the same block are shuffled for each respondent" },
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
