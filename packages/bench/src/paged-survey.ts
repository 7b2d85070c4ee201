import type { ApiClient } from "@canvass/e2e";
import pLimit from "p-limit";
import type { LoadRequest } from "./load.ts";

/** Nine pages of three questions. A respondent makes nine saves of three answers. */
export interface PagedSurvey {
  surveyId: string;
  pages: { pageId: string; elementIds: string[] }[];
}

const pageCount = 9;
const perPage = 3;

export async function publishPagedSurvey(api: ApiClient): Promise<PagedSurvey> {
  const questions = Array.from({ length: pageCount * perPage }, (_, index) => ({
    type: "rating",
    text: `Statement ${index + 1}`,
    typeSettings: { steps: 6, style: "number" },
    ...(index % perPage === 0 && { pageTitle: `Page ${index / perPage + 1}` }),
  }));
  const { id } = (await api.post("/surveys", { name: "Paged" })).data;
  const added: { pageId: string; elementId: string }[] = (await api.post(`/surveys/${id}/questions`, { questions }))
    .data;
  await api.post(`/surveys/${id}/publish`, undefined, { "if-match": "*" });
  const pages = new Map<string, string[]>();
  for (const { pageId, elementId } of added) pages.set(pageId, [...(pages.get(pageId) ?? []), elementId]);
  return { surveyId: id, pages: [...pages].map(([pageId, elementIds]) => ({ pageId, elementIds })) };
}

export async function startRespondents(
  api: ApiClient,
  surveyId: string,
  count: number,
  body: object = {},
): Promise<string[]> {
  const ids: string[] = [];
  await pLimit(64).map(Array.from({ length: count }), async () => {
    ids.push((await api.post(`/response/surveys/${surveyId}/respondents`, body)).data.respondentId);
  });
  return ids;
}

export function pageSave({ pages }: PagedSurvey, respondentId: string, page: number) {
  const { pageId, elementIds } = pages[page]!;
  const responses = elementIds.map((elementId, index) => ({
    elementId,
    type: "rating",
    value: 1 + ((page + index + respondentId.charCodeAt(15)) % 6),
  }));
  return { respondentId, pageId, responses };
}

/**
 * All page saves: page 1 of every respondent, then page 2, so that consecutive saves belong to different respondents.
 */
export function everySave(survey: PagedSurvey, respondents: readonly string[]) {
  return survey.pages.flatMap((_, page) =>
    respondents.map((respondentId) => ({ body: pageSave(survey, respondentId, page), page })),
  );
}

export function ourSaves(survey: PagedSurvey, respondents: readonly string[]): LoadRequest[] {
  return everySave(survey, respondents).map(({ body }) => ({
    method: "POST",
    path: `/response/surveys/${survey.surveyId}`,
    body: JSON.stringify(body),
  }));
}
