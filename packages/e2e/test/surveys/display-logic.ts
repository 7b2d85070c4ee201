import { beforeAll, expect, test } from "vitest";
import type { ApiClient, Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";

let api: ApiClient;

const message = "The end must be after the beginning.";

/** Publishes a survey about a stay and its dates. Only who stayed is asked how it was, and after a low rating why. */
async function publishedStay() {
  const questions = [
    { type: "yes_no", text: "Did you stay with us?", required: true },
    { type: "date_time", text: "From", pageTitle: "Your stay" },
    { type: "date_time", text: "To" },
    { type: "rating", text: "How was it?", required: true },
    { type: "short_text", text: "Why?" },
    { type: "short_text", text: "Anything else?", pageTitle: "The end" },
  ];
  const { data: survey } = await api.post("/surveys", { name: "Stay", questions });
  const { data: pages } = await api.get(`/surveys/${survey.id}/pages`);
  const { data: elements } = await api.get(`/surveys/${survey.id}/elements`);
  const ids = elements.map(({ id }: Json) => id) as string[];
  const [stayed, from, to, rating, why, rest] = ids as [string, string, string, string, string, string];
  const edit = (id: string, body: object) =>
    api.call("PUT", `/elements/${id}/settings`, { body: { settings: {}, ...body } });
  await api.patch(`/surveys/${survey.id}/pages/${pages[1].id}`, {
    showIf: { elementId: stayed, operator: "equals", value: true },
  });
  const constraints = [{ must: { elementId: to, operator: "greater_than", answerOf: from }, message }];
  expect((await edit(to, { constraints })).body.data).toMatchObject({ showIf: null, constraints });
  const low = { elementId: rating, operator: "at_most", value: 2 };
  await edit(why, { showIf: low, requiredIf: low });
  expect((await api.get(`/elements/${why}`)).data).toMatchObject({ showIf: low, requiredIf: low, constraints: [] });
  expect((await edit(rating, { showIf: { elementId: rest, operator: "answered" } })).status).toBe(422);
  const headers = { "if-match": "*" };
  expect((await api.call("POST", `/surveys/${survey.id}/publish`, { headers, body: {} })).status).toBe(200);
  return {
    surveyId: survey.id as string,
    pages: pages.map(({ id }: Json) => id) as string[],
    stayed,
    from,
    to,
    rating,
    why,
    rest,
  };
}

/** Tests display logic over the whole system. */
export function testDisplayLogic(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ api } = await shared.newWorkspace());
  });

  test("what is hidden is not required, what is wrong is refused, and what was hidden again leaves results", async () => {
    const { surveyId, pages, stayed, from, to, rating, why, rest } = await publishedStay();
    const start = async () =>
      (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data.respondentId as string;
    const save = (respondentId: string, page: number, answers: Record<string, unknown>) => {
      const responses = Object.entries(answers).map(([elementId, value]) => ({ elementId, value }));
      return api.call("POST", `/response/surveys/${surveyId}`, {
        body: { respondentId, responses, pageId: pages[page] },
      });
    };
    const away = await start();
    await save(away, 0, { [stayed]: false });
    expect((await save(away, 2, { [rest]: "no" })).body.data.respondentStatus).toBe("completed");

    const guest = await start();
    await save(guest, 0, { [stayed]: true });
    const dates = { [from]: "2026-03-05", [to]: "2026-03-01" };
    const refused = await save(guest, 1, dates);
    expect([refused.status, refused.body.error!.details]).toEqual([422, { "responses.1.value": [message] }]);
    await save(guest, 1, { ...dates, [to]: "2026-03-08", [rating]: 1 });
    expect((await save(guest, 2, {})).body.data.respondentStatus).toBe("started");
    await save(guest, 1, { [why]: "Cold." });
    await save(guest, 1, { [rating]: 5 });
    expect((await save(guest, 2, { [rest]: "Thanks" })).body.data.respondentStatus).toBe("completed");

    const { data } = await api.get(`/response/surveys/${surveyId}/aggregation`);
    const counts = Object.fromEntries(data.questionStats.map((each: Json) => [each.elementId, each.responseCount]));
    expect(counts).toMatchObject({ [stayed]: 2, [to]: 1, [rating]: 1, [why]: 0, [rest]: 2 });
  });
}
