import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PageSchema } from "@canvass/proto/survey-elements";
import type { SurveyDefinition } from "@canvass/questions";
import type { PageRecord } from "../storage/list-pages.ts";

export function toPageMessage(surveyId: string, page: PageRecord): MessageInitShape<typeof PageSchema> {
  const { pageId, sortOrder, title, loop, showIf, skipLogic, shuffle = false, block = "", elementIds } = page;
  return {
    pageId,
    surveyId,
    sortOrder,
    ...(title !== null && { title }),
    loopElementId: loop?.elementId ?? "",
    shufflesItems: loop?.shuffle ?? false,
    shuffle,
    block,
    skipLogicJson: JSON.stringify(skipLogic),
    showIfJson: showIf ? JSON.stringify(showIf) : "",
    elementIds,
  };
}

export function pageOf({ pages }: SurveyDefinition, pageId: string): PageRecord {
  const index = pages.findIndex((page) => page.pageId === pageId);
  const { elements, ...page } = pages[index]!;
  return { ...page, sortOrder: index + 1, elementIds: elements.map(({ elementId }) => elementId) };
}
