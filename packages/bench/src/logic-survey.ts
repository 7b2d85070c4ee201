import type { ApiClient, Json } from "@canvass/e2e";

export const shape = { pages: 30, perPage: 10, quotas: 10, fields: 20 } as const;

export interface LogicSurvey {
  surveyId: string;
  pages: { pageId: string; elementIds: string[] }[];
}

const keyOf = (number: number) => `q${number}`;

/** Publishes 300 questions on 30 pages: alone, or each with a condition, besides quotas and hidden fields. */
export async function publishLogicSurvey(api: ApiClient, hasLogic: boolean): Promise<LogicSurvey> {
  const document = {
    name: hasLogic ? "With logic" : "Plain",
    ...(hasLogic && { fields: hiddenFields(), quotas: quotas(1_000_000) }),
    pages: Array.from({ length: shape.pages }, (_, page) => ({
      key: `page${page}`,
      elements: Array.from({ length: shape.perPage }, (__, index) => {
        const number = page * shape.perPage + index;
        return { ...question(number), ...(hasLogic && conditionOf(number)) };
      }),
    })),
  };
  const surveyId = await publishDocument(api, document);
  const drawn: Json[] = (await api.get(`/surveys/${surveyId}/pages`)).data;
  const elements: Json[] = [];
  for (let page = 1; elements.length < shape.pages * shape.perPage; page++) {
    elements.push(...(await api.get(`/surveys/${surveyId}/elements?limit=100&page=${page}`)).data);
  }
  const pages = drawn.map(({ id: pageId }, page) => ({
    pageId,
    elementIds: elements.slice(page * shape.perPage, (page + 1) * shape.perPage).map(({ id }) => id),
  }));
  return { surveyId, pages };
}

/** Publishes a survey of one question with a quota of this limit. */
export async function publishQuotaSurvey(
  api: ApiClient,
  limit: number,
): Promise<{ surveyId: string; elementId: string }> {
  const surveyId = await publishDocument(api, {
    name: "Full",
    quotas: [{ name: "All", when: { element: keyOf(0), operator: "at_least", value: 1 }, limit, onFull: "close" }],
    pages: [{ key: "page", elements: [question(0)] }],
  });
  return { surveyId, elementId: (await api.get(`/surveys/${surveyId}/elements`)).data[0].id };
}

export async function publishDocument(api: ApiClient, document: object): Promise<string> {
  const { id } = (await api.post("/surveys/import", { language: "en", ...document })).data;
  await api.post(`/surveys/${id}/publish`, undefined, { "if-match": "*" });
  return id;
}

const question = (number: number) => ({
  key: keyOf(number),
  type: "rating",
  text: `Statement ${number + 1}`,
  typeSettings: { steps: 6 },
});

/** One condition for each question, of every kind; all of them hold for the answers that are sent. */
function conditionOf(number: number): object {
  if (number === 0) return { constraints: [{ must: atLeast(0), message: "Too low." }] };
  const earlier = atLeast(Math.max(0, number - (number % 7) - 1));
  if (number % 10 === 4) return { requiredIf: earlier };
  if (number % 10 === 9) return { constraints: [{ must: { any: [earlier, atLeast(number)] }, message: "Too low." }] };
  return { showIf: earlier };
}

const atLeast = (number: number) => ({ element: keyOf(number), operator: "at_least", value: 1 });

function quotas(limit: number): object[] {
  return Array.from({ length: shape.quotas }, (_, number) => ({
    name: `Quota ${number}`,
    when: {
      all: [atLeast(number * 29), { element: keyOf(number * 29 + 5), operator: "equals", value: 1 + (number % 6) }],
    },
    limit,
    onFull: "close",
  }));
}

const hiddenFields = () =>
  Array.from({ length: shape.fields }, (_, number) => ({
    name: `field${number}`,
    type: number % 2 ? "number" : "text",
  }));

/** Values of all hidden fields, as a start gives them. */
export function fieldValues(): Record<string, unknown> {
  const values = hiddenFields().map(({ name, type }, number) => [name, type === "number" ? number : `value ${number}`]);
  return Object.fromEntries(values) as Record<string, unknown>;
}
