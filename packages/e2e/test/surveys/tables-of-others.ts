import { expect, test } from "vitest";
import { createApiClient, type ApiClient, type Json } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";

const questions = [
  { type: "nps", name: "recommend", text: "-", subject: "us" },
  { type: "multiple_choice", name: "plan_of", text: "Plan", choices: ["Secretly Free", "Secretly Pro"] },
];

/** Publishes a survey with one respondent. */
async function answeredSurvey(api: ApiClient, name: string) {
  const { data: survey } = await api.post("/surveys", { name, questions });
  const listed: Json[] = (await api.get(`/surveys/${survey.id}/elements?include=content`)).data;
  await api.post(`/surveys/${survey.id}/publish`, undefined, { "if-match": "*" });
  const { respondentId } = (await api.post(`/response/surveys/${survey.id}/respondents`, {})).data;
  const [{ id: recommend }, { id: plan, choices }] = listed as [Json, Json];
  const responses = [
    { elementId: recommend, value: 9 },
    { elementId: plan, value: choices[0].id },
  ];
  await api.post(`/response/surveys/${survey.id}`, { respondentId, responses });
  return { surveyId: survey.id as string, recommend: recommend as string, plan: plan as string };
}

type Call = [method: "GET" | "POST", path: (surveyId: string) => string, body?: object];
const query = (asked: Record<string, unknown>) =>
  new URLSearchParams(
    Object.entries(asked).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  ).toString();

/** Every way to figures of a survey, by the name of an element. */
const callsOf = (variable: object, where: object): Record<string, Call> => {
  const results = (surveyId: string) => `/response/surveys/${surveyId}`;
  const series = { ...variable, by: "day", measure: "nps" };
  const targets = [
    { category: "Secretly Free", size: 1 },
    { category: "Secretly Pro", size: 1 },
  ];
  return {
    crosstab: ["POST", (id) => `${results(id)}/crosstabs`, { rows: variable }],
    "crosstab with a filter": ["POST", (id) => `${results(id)}/crosstabs`, { rows: { known: "language" }, where }],
    "weighted crosstab": [
      "POST",
      (id) => `${results(id)}/crosstabs`,
      { rows: { known: "language" }, weights: [{ ...variable, targets }] },
    ],
    series: ["POST", (id) => `${results(id)}/series`, series],
    "series with a filter": [
      "POST",
      (id) => `${results(id)}/series`,
      { ...series, name: "recommend", elementId: undefined, where },
    ],
    "filtered aggregation": ["GET", (id) => `${results(id)}/aggregation?${query({ where })}`],
    "filtered report": ["GET", (id) => `${results(id)}/report?${query({ where })}`],
    "report with a table": ["GET", (id) => `${results(id)}/report?${query({ crosstab: { rows: variable } })}`],
    "report with a series": ["GET", (id) => `${results(id)}/report?${query({ series })}`],
    export: ["POST", (id) => `/exports/surveys/${id}`, { format: "csv", where }],
  };
};

/** Tests that figures of another workspace are out of reach, whichever way they are asked for. */
export function testTablesOfOthers(shared: SharedSystem): void {
  let mine: ApiClient;
  let other: ApiClient;
  let own: Awaited<ReturnType<typeof answeredSurvey>>;
  let foreign: typeof own;

  test("tables, series, weights, filtered results and exports of another workspace's survey look absent", async () => {
    [mine, other] = [(await shared.newWorkspace()).api, (await shared.newWorkspace()).api];
    [own, foreign] = [await answeredSurvey(mine, "Own"), await answeredSurvey(other, "Foreign")];
    const absent = "absent0000000000";
    for (const [name, [method, path, body]] of Object.entries(
      callsOf({ name: "plan_of" }, { name: "plan_of", operator: "equals", value: "Secretly Free" }),
    )) {
      const ask = async (api: ApiClient, surveyId: string) => {
        const { status, body: answer } = await api.call(method, path(surveyId), body ? { body } : {});
        return { status, told: JSON.stringify([answer?.error?.code, answer?.error?.message, answer?.error?.details]) };
      };
      const told = await ask(mine, foreign.surveyId);
      expect([name, told.status]).toEqual([name, 404]);
      expect(told).toEqual(await ask(mine, absent));
      expect(told.told).not.toMatch(/Secretly|Foreign/u);
    }
  });

  test("elements of another workspace's survey are unknown in variables, filters and weights", async () => {
    const asked = (elementId: string) =>
      callsOf({ elementId }, { elementId, operator: "equals", value: "Secretly Free" });
    const absent = asked("absent0000000000");
    for (const [name, [method, path, body]] of Object.entries(asked(foreign.plan))) {
      const ask = async ([, , sent]: Call, at: string) => {
        const { status, body: answer } = await mine.call(method, at, sent ? { body: sent } : {});
        const { code, message, details } = answer?.error ?? {};
        return {
          status,
          code,
          message,
          details: JSON.stringify(details)?.replaceAll(foreign.plan, "absent0000000000"),
        };
      };
      const told = await ask([method, path, body], path(own.surveyId));
      expect([name, told.status, told.code]).toEqual([name, 422, "validation_failed"]);
      expect(told).toEqual(await ask(absent[name]!, absent[name]![1](own.surveyId)));
      expect(told.details).not.toMatch(/Secretly|Foreign/u);
    }
  });

  test("a distributor of another workspace selects nobody", async () => {
    const { data: link } = await other.post(`/distribution/surveys/${foreign.surveyId}`, { name: "Foreign link" });
    const body = { rows: { name: "plan_of" }, distributorId: link.id };
    expect((await mine.post(`/response/surveys/${own.surveyId}/crosstabs`, body)).data).toMatchObject({ matched: 0 });
    const aggregation = await mine.get(`/response/surveys/${own.surveyId}/aggregation?distributorId=${link.id}`);
    expect(aggregation.data).toMatchObject({ respondentCount: 0 });
  });

  test("a token of another workspace and a wrong one learn nothing, and the right one sees its respondent alone", async () => {
    const path = `/response/surveys/${own.surveyId}`;
    const body = { rows: { name: "plan_of" } };
    await using wrong = createApiClient(shared.demo.system.local.baseUrl, "wrong");
    for (const [client, status] of [
      [wrong, 401],
      [other, 404],
    ] as const) {
      const refused = await client.call("POST", `${path}/crosstabs`, { body });
      expect(refused.status).toBe(status);
      expect(refused.raw).not.toMatch(/Secretly|Own/u);
    }
    expect((await mine.post(`${path}/crosstabs`, body)).data).toMatchObject({ matched: 1, counted: 1 });
    expect((await mine.get(`${path}/aggregation?completed=true`)).data).toMatchObject({ respondentCount: 1 });
  });
}
