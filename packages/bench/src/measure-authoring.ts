import type { ApiClient, Json } from "@canvass/e2e";
import { measured, type AuthoringRow, type BenchContext, type Measurement } from "./bench-context.ts";
import { timed } from "./timed.ts";

const [many, few] = [1000, 10] as const;
const always = { "if-match": "*" };

/** A survey with all its questions on one page. */
interface Authored {
  path: string;
  pageId: string;
  elementIds: string[];
}

interface Operation {
  /** Unit of the cost: a question, or a call of an operation on one element. */
  per: "question" | "call";
  /** Does the unmeasured preparation. Resolves with the operation to measure. */
  prepare: (api: ApiClient, survey: Authored, round: number) => Promise<() => Promise<unknown>>;
}

/**
 * Compares authoring of a survey of 1,000 questions with one of 10, one call after the other: microseconds per
 * question, or milliseconds per call.
 */
export async function measureAuthoring({ demo: { api }, size, say }: BenchContext): Promise<Measurement[]> {
  const [large, small] = [await author(api, many), await author(api, few)];
  const measurements: Measurement[] = [];
  for (const [name, { per, prepare }] of Object.entries(operations)) {
    const times = { large: [] as number[], small: [] as number[] };
    // The first round warms up.
    for (let round = 0; round <= size.edits; round += 1) {
      const [ours, theirs] = [
        await timed(await prepare(api, large, round)),
        await timed(await prepare(api, small, round)),
      ];
      if (round === 0) continue;
      times.large.push(per === "call" ? ours : (ours * 1000) / many);
      times.small.push(per === "call" ? theirs : (theirs * 1000) / few);
    }
    const unit = `${per === "call" ? "ms a call" : "µs a question"}, 1,000 / 10 questions`;
    measurements.push(measured(name as AuthoringRow, times.large, times.small, unit));
  }
  say(`authoring: ${measurements.map(({ name, ratio }) => `${name.slice(10)} ${ratio.toFixed(2)}`).join(", ")}`);
  return measurements;
}

const operations: Record<AuthoringRow, Operation> = {
  authoring_add: {
    per: "question",
    async prepare(api, { elementIds: { length } }) {
      const { id } = (await api.post("/surveys", { name: "Added to" })).data;
      return () => api.post(`/surveys/${id}/questions`, { questions: questionsOf(length) });
    },
  },
  authoring_list: { per: "question", prepare: async (api, survey) => () => walk(api, survey, "limit=100") },
  authoring_read: {
    per: "question",
    prepare: async (api, survey) => () => walk(api, survey, "limit=100&include=content"),
  },
  authoring_order: {
    per: "question",
    async prepare(api, { path, pageId, elementIds }, round) {
      const body = { pageId, elementIds: round % 2 === 0 ? elementIds.toReversed() : elementIds };
      return () => put(api, `${path}/elements/order`, body);
    },
  },
  authoring_changes: {
    per: "question",
    async prepare(api, { path }) {
      return () => api.get(`${path}/publish/changes`);
    },
  },
  authoring_publish: {
    per: "question",
    async prepare(api, survey, round) {
      await reword(api, survey, `Publication ${round}`);
      return () => api.post(`${survey.path}/publish`, {}, always);
    },
  },
  authoring_edit: {
    per: "call",
    prepare: async (api, survey, round) => () => reword(api, survey, `Edit ${round}`),
  },
};

async function author(api: ApiClient, count: number): Promise<Authored> {
  const { id } = (await api.post("/surveys", { name: `Of ${count} questions` })).data;
  const path = `/surveys/${id}`;
  const { data } = await api.post(`${path}/questions`, { questions: questionsOf(count) });
  await api.post(`${path}/publish`, {}, always);
  return { path, pageId: data[0].pageId, elementIds: data.map(({ elementId }: Json) => elementId) };
}

const questionsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: "multiple_choice",
    text: `Which of these describes your work best in situation ${at}?`,
    choices: ["Never", "Rarely", "Sometimes", "Often", "Always"],
  }));

/** Reads all pages of the element list. */
async function walk(api: ApiClient, { path, elementIds }: Authored, query: string): Promise<void> {
  for (let page = 1; (page - 1) * 100 < elementIds.length; page += 1) {
    await api.get(`${path}/elements?${query}&page=${page}`);
  }
}

function reword(api: ApiClient, { elementIds }: Authored, questionText: string): Promise<void> {
  const body = { questionText, settings: { typeSettings: {}, responseValidation: {} } };
  return put(api, `/elements/${elementIds[elementIds.length >> 1]!}/settings`, body);
}

async function put(api: ApiClient, path: string, body: unknown): Promise<void> {
  const { status, raw } = await api.call("PUT", path, { body });
  if (status !== 200) throw new Error(`PUT ${path} answered ${status}: ${raw}`);
}
