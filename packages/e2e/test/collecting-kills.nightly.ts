import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiResponse, type ApiClient, type DemoSystem } from "../src/index.ts";
import { repeatUntilFinal } from "../src/repeat-until-final.ts";
import { expectRefusal } from "./expected-shapes.ts";
import { clientWithCachedToken } from "./client-with-cached-token.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";
import { whileAway } from "./while-away.ts";

let demo: DemoSystem;
let api: ApiClient;
/** Without a token. */
let people: ApiClient;

beforeAll(async () => {
  demo = await startTestSystem({ restartMs: 1 });
  ({ api } = demo);
  people = createApiClient(demo.system.local.baseUrl, "");
}, 120_000);
afterAll(async () => {
  await people?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

interface Link {
  id: string;
  at: string;
}

async function newLink({ surveyId }: SmallSurvey, fields: object = {}): Promise<Link> {
  const { data } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Poster", ...fields });
  await api.post(`/distribution/${data.id}/activate`);
  return { id: data.id, at: `/public/v1/links/${data.code}/respondents` };
}

/** `patienceMs`: how long to repeat what is refused for now. */
type Came = (survey: SmallSurvey, patienceMs?: number) => Promise<ApiResponse>;

/** Starts by a link; the result completes. */
async function come(at: string): Promise<Came> {
  const { data } = await people.post(at, {});
  return ({ ratingId }, patienceMs = 60_000) => {
    const complete = () =>
      people.call("POST", `${at}/${data.respondentId}/answers`, {
        headers: { "x-respondent-token": data.sessionToken },
        body: { responses: [{ elementId: ratingId, value: 4 }], metadata: { complete: true } },
      });
    return repeatUntilFinal(complete, { describe: "a completion", patienceMs });
  };
}

const start = (at: string) => people.call("POST", at, { body: {} });
const startAtLast = (at: string) => repeatUntilFinal(() => start(at), { describe: "a start" });
const settings = ({ id }: Link, body: object) =>
  api.call("PUT", `/distribution/${id}/settings`, { body, headers: { "if-match": "*" } });
const patch = ({ surveyId }: SmallSurvey, body: object) =>
  api.call("PATCH", `/surveys/${surveyId}`, { body, headers: { "if-match": "*" } });

test("acknowledged answers survive unavailable owners and a killed response service", async () => {
  const survey = await publishSmallSurvey(api);
  const [closing, anonymous] = [await publishSmallSurvey(api), await publishSmallSurvey(api)];
  const [paused, locked, limited] = [await newLink(survey), await newLink(survey), await newLink(survey)];
  const begun = { paused: await come(paused.at), limited: await come(limited.at) };
  expect((await (await come(limited.at))(survey)).status).toBe(200);
  await start(locked.at);
  const called = { closing: await startRespondent(api, closing), anonymous: await startRespondent(api, anonymous) };
  const { data: contact } = await api.post("/contacts", { email: "zebra@example.org" });
  const personal = await newLink(survey, { type: "personal_link" });
  const { data: issued } = await api.post(`/distribution/${personal.id}/links`, { contactIds: [contact.id] });
  const person = await come(`/public/v1/links/${issued[0].code}/respondents`);

  const changes = [
    await api.call("POST", `/distribution/${paused.id}/pause`),
    await settings(locked, { password: "sesame" }),
    await settings(limited, { responseLimit: 1 }),
    await patch(closing, { settings: { schedule: { closesAt: "2020-01-01T00:00:00Z" } } }),
    await patch(anonymous, { settings: { privacy: { anonymity: "full" } } }),
    await api.call("POST", `/contacts/${contact.id}/anonymize`, { body: { confirm: true } }),
  ];
  expect(changes.map(({ status, raw }) => (status === 200 ? status : raw))).toEqual(changes.map(() => 200));

  await using known = await clientWithCachedToken(demo);
  await whileAway(demo.system, ["survey", "distribution"], async () => {
    await demo.system.kill("response", "SIGKILL");
    expectRefusal(await startAtLast(paused.at), 422, "survey_not_collecting", { reason: "link_paused" });
    expectRefusal(await begun.paused(survey), 422, "survey_not_collecting", { reason: "link_paused" });
    expectRefusal(await startAtLast(locked.at), 422, "validation_failed");
    expectRefusal(await begun.limited(survey), 422, "survey_not_collecting", { reason: "link_limit" });
    // Final once the owner of the contact is back.
    expect([404, 503]).toContain((await person(survey, 0)).status);
    const submit = (to: SmallSurvey, id: string) =>
      known.call("POST", `/response/surveys/${to.surveyId}`, { body: completion(to, id) });
    expectRefusal(await submit(closing, called.closing), 422, "survey_not_collecting", { reason: "closed" });
    expectRefusal(await submit(anonymous, called.anonymous), 422, "survey_not_collecting", {
      reason: "privacy_changed",
    });
  });
  expect((await person(survey)).status).toBe(404);
}, 120_000);

test("a change that cannot take effect yet says so, and does by itself; its key answers once it has", async () => {
  const survey = await publishSmallSurvey(api);
  const [repeated, left] = [await newLink(survey), await newLink(survey)];
  const begun = { repeated: await come(repeated.at), left: await come(left.at) };
  const pause = ({ id }: Link) =>
    api.call("POST", `/distribution/${id}/pause`, { headers: { "idempotency-key": `pause-${id}` } });
  await whileAway(demo.system, ["response"], async () => {
    for (const link of [repeated, repeated, left]) {
      const answer = await pause(link);
      expectRefusal(answer, 503, "service_unavailable", { part: "response" });
      expect(answer.body.error!.message).toContain("stored");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
  });
  await waitFor(async () => (await pause(repeated)).status === 200, { describe: "the pause to be answered" });
  const answer = await pause(repeated);
  expect([answer.data.status, answer.headers.get("idempotent-replayed")]).toEqual(["paused", "true"]);
  expectRefusal(await begun.repeated(survey), 422, "survey_not_collecting", { reason: "link_paused" });
  await waitFor(async () => (await start(left.at)).status === 422, {
    describe: "the other pause to take effect by itself",
    timeoutMs: 60_000,
  });
  expectRefusal(await begun.left(survey), 422, "survey_not_collecting", { reason: "link_paused" });
}, 120_000);

test("completions at once fill a quota exactly while the response service is killed among them", async () => {
  const survey = await publishSmallSurvey(api);
  const { surveyId, ratingId } = survey;
  const when = { elementId: ratingId, operator: "answered" };
  const body = { quotas: [{ name: "ten", when, limit: 10, onFull: "close" }] };
  const path = `/surveys/${surveyId}/quotas`;
  const replaced = await api.call("PUT", path, { body, headers: { "if-match": "*" } });
  expect(replaced.status).toBe(200);
  await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
  const respondents = [];
  for (let at = 0; at < 40; at += 1) respondents.push(await startRespondent(api, survey));
  let isLeft = respondents.length;
  const answers = respondents.map(async (respondentId) => {
    const submit = () =>
      api.call("POST", `/response/surveys/${surveyId}`, {
        body: completion(survey, respondentId),
        headers: { "idempotency-key": `complete-${respondentId}` },
      });
    const answer = await repeatUntilFinal(submit, { describe: "a completion" });
    isLeft -= 1;
    return answer;
  });
  await demo.system.kill("response", "SIGKILL");
  await Promise.race(answers);
  if (isLeft > 0) await demo.system.kill("response", "SIGKILL");
  const codes = (await Promise.all(answers)).map(({ status, body: { error } }) => error?.code ?? status);
  expect(codes.filter((code) => code === 200)).toHaveLength(10);
  expect(codes.filter((code) => code === "quota_full")).toHaveLength(30);
  const { data } = await api.get(path);
  expect(data.quotas).toMatchObject([{ name: "ten", count: 10, remaining: 0, isFull: true }]);
}, 120_000);
