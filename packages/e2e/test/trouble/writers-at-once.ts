import { expect, test } from "vitest";
import type { ApiResponse, ApiClient, Json } from "../../src/index.ts";
import { createWorkspace } from "../second-workspace.ts";
import { api, demo } from "./troubled-system.ts";

const writers = 16;
const rounds = 8;
const always = { "if-match": "*" };

/** Refusals that concurrent writers may cause. Any other is a defect. */
const refusals = new Set([
  "element_not_found",
  "element_retired",
  // Publishing drops empty pages.
  "page_not_found",
  "validation_failed",
  "survey_locked",
  "nothing_to_publish",
  "acknowledgement_required",
]);

/** Tests all writes to one survey at once. */
export function testWritersAtOnce(): void {
  test("sixteen writers and publishers leave one survey whole, and disturb none of another workspace", async () => {
    const survey = await createQuestionnaire(api);
    await using other = await createWorkspace(demo.system);
    const theirs = await createQuestionnaire(other.api);
    const answers = Object.fromEntries(Object.keys(writes).map((name) => [name, [] as ApiResponse[]]));
    const write = async (number: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const at = number * rounds + round;
        const [name, send] = pick(Object.entries(writes), at);
        answers[name]!.push(...(await send(survey, Math.floor(at / Object.keys(writes).length))));
      }
    };
    const [quiet] = await Promise.all([
      editAlone(other.api, theirs),
      ...Array.from({ length: writers }, (_, number) => write(number)),
    ]);
    expect(quiet.filter(({ status }) => status >= 400).map(({ raw }) => raw)).toEqual([]);
    const all = Object.values(answers).flat();
    const refused = all.filter(({ status }) => status >= 400);
    expect(refused.filter(({ body }) => !refusals.has(body.error!.code)).map(({ raw }) => raw)).toEqual([]);
    const done = Object.entries(answers).filter(([, given]) => given.some(({ status }) => status < 400));
    expect(done.map(([name]) => name)).toEqual(Object.keys(writes));
    await expectWhole(api, survey.path);
    await publishTogether(survey.path);
    for (const [by, { path }] of [[api, survey] as const, [other.api, theirs] as const]) {
      const numbers = await versionNumbers(by, path);
      expect(numbers).toEqual(numbers.map((_, at) => numbers.length - at));
    }
    const published = answers["publish"]!.filter(({ status }) => status === 200).length;
    expect(await versionNumbers(api, survey.path)).toHaveLength(1 + published + 1);
  });
}

interface Questionnaire {
  path: string;
  pageIds: string[];
  /** An answered question whose choices the writers edit. */
  choiceId: string;
  /** Ids of known elements. The list grows. */
  elementIds: string[];
}

/** Creates a survey of three pages, published and answered once. */
async function createQuestionnaire(by: ApiClient): Promise<Questionnaire> {
  const path = `/surveys/${(await by.post("/surveys", { name: "At once" })).data.id}`;
  const choices = { type: "multiple_choice", text: "Which?", choices: ["a", "b"] };
  const questions = [choices, text("b", "Second"), text("c"), text("d", "Third"), text("e")];
  const { data } = await by.post(`${path}/questions`, { questions });
  await by.post(`${path}/publish`, {}, always);
  const { respondentId } = (await by.post(`/response${path}/respondents`, {})).data;
  const responses = [{ elementId: data[0].elementId, value: data[0].choices[0].id }];
  await by.post(`/response${path}`, { respondentId, responses });
  return {
    path,
    pageIds: [...new Set<string>(data.map(({ pageId }: Json) => pageId))],
    choiceId: data[0].elementId,
    elementIds: data.map(({ elementId }: Json) => elementId),
  };
}

const text = (title: string, pageTitle?: string) => ({
  type: "short_text",
  text: title,
  ...(pageTitle !== undefined && { pageTitle }),
});
const pick = <Item>(list: readonly Item[], at: number): Item => list[at % list.length]!;

type Write = (survey: Questionnaire, at: number) => Promise<ApiResponse[]>;

const writes: Record<string, Write> = {
  add: async ({ path, elementIds }, at) => {
    const questions = [text(`q${at}`, at % 3 === 0 ? `Page ${at}` : undefined), text(`r${at}`)];
    const answer = await api.call("POST", `${path}/questions`, { body: { questions } });
    elementIds.push(...(answer.data ?? []).map(({ elementId }: Json) => elementId));
    return [answer];
  },
  delete: async ({ elementIds }, at) => [await api.call("DELETE", `/elements/${pick(elementIds.slice(1), at * 7)}`)],
  order: async ({ path, elementIds }, at) => {
    const page = pick<Json>((await api.get(`${path}/pages`)).data, at);
    const guest = pick(elementIds, at * 5);
    const others = page.elementIds.filter((id: string) => id !== guest);
    const body = { pageId: page.id, elementIds: [...others.toReversed(), guest] };
    return [await api.call("PUT", `${path}/elements/order`, { body })];
  },
  patchPage: async ({ path, pageIds, elementIds, choiceId }, at) => {
    const when = { elementId: at % 2 === 0 ? choiceId : pick(elementIds, at), operator: "answered" };
    const skipLogic = [{ when, goTo: at % 3 === 0 ? pick(pageIds, at + 1) : "end" }];
    return [await api.call("PATCH", `${path}/pages/${pick(pageIds, at)}`, { body: { title: `T${at}`, skipLogic } })];
  },
  editChoices: async ({ choiceId }, at) => {
    const { data } = await api.get(`/multiple-choice/${choiceId}`);
    const kept = data.choices.slice(at % 2).map(({ id, text: title }: Json) => ({ choiceId: id, title }));
    const body = { choices: [...kept, { choiceId: null, title: `Choice ${at}` }] };
    return [await api.call("PUT", `/multiple-choice/${choiceId}/choices`, { body })];
  },
  publish: ({ path }) => Promise.all([publish(path), publish(path)]),
};

/** Publishes the draft's current state. */
async function publish(path: string): Promise<ApiResponse> {
  const { changes } = (await api.get(`${path}/publish/changes`)).data;
  const acknowledge = changes.map(({ changeId }: Json) => changeId);
  return api.call("POST", `${path}/publish`, { headers: always, body: { acknowledge } });
}

/** Edits and publishes one survey that nobody else writes. */
async function editAlone(by: ApiClient, { path }: Questionnaire): Promise<ApiResponse[]> {
  const answers: ApiResponse[] = [];
  for (let round = 0; round < rounds; round += 1) {
    answers.push(await by.call("POST", `${path}/questions`, { body: { questions: [text(`q${round}`)] } }));
    answers.push(await by.call("POST", `${path}/publish`, { headers: always, body: {} }));
    answers.push(await by.call("GET", `${path}/elements`));
  }
  return answers;
}

/** Asserts that pages and elements are numbered without gaps, and that the draft is valid or says why not. */
async function expectWhole(by: ApiClient, path: string): Promise<void> {
  const { data: pages } = await by.get(`${path}/pages`);
  const { data: elements } = await by.get(`${path}/elements?limit=100`);
  expect(pages.map(({ sortOrder }: Json) => sortOrder)).toEqual(pages.map((_: Json, at: number) => at + 1));
  for (const { id, elementIds } of pages) {
    const own = elements.filter(({ pageId }: Json) => pageId === id);
    expect(own.map((element: Json) => [element.id, element.sortOrder])).toEqual(
      elementIds.map((elementId: string, at: number) => [elementId, at + 1]),
    );
  }
  expect((await by.get(path)).data.questionCount).toBe(elements.length);
  const { valid, issues } = (await by.post(`${path}/publish/validate`)).data;
  expect(issues.length > 0).toBe(!valid);
}

/** Asserts that concurrent publishers of one draft create one version. */
async function publishTogether(path: string): Promise<void> {
  await api.post(`${path}/questions`, { questions: [text("last")] });
  const { headers } = await api.get(path);
  const { changes } = (await api.get(`${path}/publish/changes`)).data;
  const body = { acknowledge: changes.map(({ changeId }: Json) => changeId) };
  const call = () => api.call("POST", `${path}/publish`, { headers: { "if-match": headers.get("etag")! }, body });
  const answers = await Promise.all([call(), call()]);
  const codes = answers.map(({ status, body: answer }) => (status === 200 ? "published" : answer.error!.code));
  expect(codes).toContain("published");
  const loser = codes.find((code) => code !== "published");
  expect(["survey_locked", "precondition_failed", "nothing_to_publish"]).toContain(loser);
}

/** Newest first. */
async function versionNumbers(by: ApiClient, path: string): Promise<number[]> {
  const { data, body } = await by.get(`${path}/versions?limit=100`);
  expect(body.pagination.hasMore).toBe(false);
  return data.map(({ versionNumber }: Json) => versionNumber);
}
