import type { Page } from "@canvass/proto/survey";
import { orderElementsBody, patchPageBody } from "@canvass/questions";
import { Type } from "typebox";
import { id, idParam, named, nullableText, withExamples } from "../schemas.ts";

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

const skipRule = named("SkipRule", {
  when: named("SkipCondition", {
    elementId: id,
    operator: Type.String(),
    value: Type.Optional(Type.Unsafe<unknown>({ description: "what an answer is compared with" })),
  }),
  goTo: Type.String({ description: "the id of a later page, or end" }),
});

export const pageSchema = named("Page", {
  id,
  surveyId: id,
  sortOrder: Type.Integer({ description: "place in the survey" }),
  title: nullableText,
  loop: Type.Unsafe<{ elementId: string } | null>({
    type: ["object", "null"],
    properties: { elementId: { type: "string" } },
    required: ["elementId"],
    description: "the question with several answers for whose chosen items the page repeats",
  }),
  skipLogic: Type.Array(skipRule, { description: "the first rule that holds as the page is left decides" }),
  elementIds: Type.Array(id, { description: "its elements in order" }),
});

/** A page as callers see it (contract 6.9). */
export function pageView({ pageId, surveyId, sortOrder, title, loopElementId, skipLogicJson, elementIds }: Page) {
  return {
    id: pageId,
    surveyId,
    sortOrder,
    title: title ?? null,
    loop: loopElementId === "" ? null : { elementId: loopElementId },
    skipLogic: JSON.parse(skipLogicJson) as unknown,
    elementIds,
  };
}
