import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCanvass } from "@canvass/operator";
import { PROCESSES } from "@canvass/processes";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, type ApiClient, type DemoSystem } from "../src/index.ts";
import { uploadOwnFile } from "../src/upload-file.ts";
import { openServiceDatabases } from "../src/service-databases.ts";
import { answerQuestionnaire } from "./answered-questionnaire.ts";
import { completeRespondent, publishSmallSurvey } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";
import { retryEvery } from "./webhook-scene.ts";

let from: DemoSystem;
let to: DemoSystem;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "canvass-moving-"));
  from = await startTestSystem({ env: retryEvery(600) });
  // Its feed also takes cursors of `from`, and it trusts the same receiver.
  const cursorKeys = `${randomBytes(32).toString("base64")},${from.system.keys.cursorKey}`;
  const processes = PROCESSES.map((each) =>
    each.name === "webhook" ? { ...each, env: { CANVASS_CURSOR_KEY: cursorKeys } } : each,
  );
  to = await startTestSystem({ processes, env: { CANVASS_WEBHOOK_CA_FILE: join(from.dataDir, "receiver-ca.pem") } });
});
afterAll(async () => {
  await from?.[Symbol.asyncDispose]();
  await to?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function canvass({ dataDir }: DemoSystem, ...words: string[]) {
  let [out, err] = ["", ""];
  const env = { CANVASS_DATA_DIR: dataDir };
  const code = await runCanvass([...words, "--json"], env, {
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, err, told: out === "" ? {} : (JSON.parse(out) as Record<string, unknown>) };
}

test("a workspace moves with all its data, and works in its new place", async () => {
  const { api, receiver, system } = from;
  const { token, workspaceId } = system.local;
  let answer = 503;
  const arrivals: string[] = [];
  receiver.intercept(({ headers }) => {
    arrivals.push(String(headers["webhook-id"]));
    return answer;
  });
  const { data: hook } = await api.post("/event-subscriptions", { name: "CRM", url: receiver.url });
  receiver.trust(hook.secret);
  await api.post("/event-subscriptions", { name: "Feed" });
  const survey = await publishSmallSurvey(api);
  await completeRespondent(api, survey, 2);
  const second = await completeRespondent(api, survey, 5);
  const { uploaded, elementId, surveyId } = await uploadOwnFile(system.local.baseUrl, token);
  const { fileId } = uploaded.data;
  const { respondentId } = (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data;
  await api.post(`/response/surveys/${surveyId}`, { respondentId, responses: [{ elementId, value: [{ fileId }] }] });
  const { data: link } = await api.post(`/distribution/surveys/${survey.surveyId}`, { name: "Link" });
  await api.post(`/distribution/${link.id}/activate`, {});
  await api.post("/contacts", { email: "grace@example.com", firstName: "Grace" });
  const questionnaire = await answerQuestionnaire(api);
  await waitFor(() => arrivals.length === 5, { describe: "the first attempts", timeoutMs: 60_000 });
  const { data: firstPage } = await api.get("/events?limit=1");
  await using databases = openServiceDatabases(system.local.databaseUrl);
  const atRest = async () => (await databases.unconfirmedEvents()).length === 0;
  await waitFor(atRest, { describe: "events at rest" });

  const key = join(folder, "move.key");
  const { told: made } = await canvass(to, "workspace", "key", "--out", key);
  const file = join(folder, "acme.age");
  const recipient = ["--recipient", String(made["recipient"])];
  const exportWorkspace = () =>
    canvass(from, "workspace", "export", "--workspace", workspaceId, ...recipient, "--out", file);
  // Holds the audit entry of the change that follows.
  await databases.query("token", "BEGIN");
  await databases.query("token", "LOCK TABLE audit_entries IN SHARE MODE");
  await api.patch(`/surveys/${surveyId}`, { name: "Renamed" }, { "if-match": "*" });
  const early = await exportWorkspace();
  expect(early).toMatchObject({ code: 1, err: expect.stringMatching(/^Events of the survey service are under way: /) });
  await databases.query("token", "COMMIT");
  await waitFor(atRest, { describe: "events at rest again" });

  const views = [
    "/surveys",
    `/surveys/${survey.surveyId}/elements`,
    `/surveys/${survey.surveyId}/versions`,
    `/response/surveys/${survey.surveyId}`,
    `/response/surveys/${survey.surveyId}/aggregation`,
    `/response/surveys/${survey.surveyId}/respondents`,
    `/response/surveys/${surveyId}`,
    `/distribution/surveys/${survey.surveyId}`,
    "/contacts",
    "/event-subscriptions",
    `/event-subscriptions/${hook.id}/deliveries`,
    "/events",
    "/tokens",
    ...questionnaire.views,
  ];
  const lastUse = await waitFor(() => lastUseOf(api), { describe: "the token's use", timeoutMs: 60_000 });
  const before = await Promise.all(views.map((path) => seen(api, path)));

  const exported = await exportWorkspace();
  expect(exported).toMatchObject({ code: 0, err: "", told: { files: 1, missingFiles: [], eventsUnderWay: 0 } });
  expect((await readFile(file)).includes(hook.secret)).toBe(false);
  const imported = await canvass(to, "workspace", "import", "--file", file, "--key", key);
  expect(imported).toMatchObject({ code: 0, err: "", told: { workspaceId, files: 1, takenBefore: [] } });

  await using moved = createApiClient(to.system.local.baseUrl, token);
  const after = await Promise.all(views.map((path) => seen(moved, path)));
  expect(after).toEqual(before);
  // Uses are stored with a delay: the export may have a later one.
  expect(Date.parse((await lastUseOf(moved))!)).toBeGreaterThanOrEqual(Date.parse(lastUse));
  const next = await moved.get(`/events?cursor=${encodeURIComponent(firstPage[0].cursor)}`);
  expect(next.data[0].data.response_id).toBe(second);
  const { url } = (await moved.get(`/files/${fileId}/download`)).data;
  expect(await (await fetch(url)).text()).toBe("My notes");
  for (const each of [survey.surveyId, questionnaire.surveyId]) {
    const verified = await canvass(to, "results", "verify", "--workspace", workspaceId, "--survey", each);
    expect(verified).toMatchObject({ code: 0, told: { differing: 0 } });
  }
  const [here, there] = await Promise.all([api, moved].map((system) => seen(system, questionnaire.opened)));
  expect(there).toEqual(here);
  const submissions = [{ responses: questionnaire.tea }];
  const { data: more } = await moved.post(`/response/surveys/${questionnaire.surveyId}/batch`, { submissions });
  expect(more.submissions).toMatchObject([{ error: { code: "quota_full", details: { name: "Tea" } } }]);

  // The receiver takes only what is signed with the secret that it knows.
  answer = 204;
  const known = arrivals.length;
  await completeRespondent(moved, survey, 3);
  await waitFor(() => arrivals.length > known, { describe: "a webhook of the other system", timeoutMs: 60_000 });

  const again = await canvass(to, "workspace", "import", "--file", file, "--key", key);
  expect(again).toMatchObject({ code: 0, told: { taken: [] } });
});

/** The last use of the caller's token that is stored; null before the first. */
async function lastUseOf(api: ApiClient): Promise<string | null> {
  const { data } = await api.get("/tokens");
  return data[0].last_used_at;
}

/**
 * Reads a view without what differs between the systems: addresses, cursors, ids of persons, and the times when tokens
 * were last used.
 */
async function seen(api: ApiClient, path: string): Promise<unknown> {
  const { data } = await api.get(path);
  const text = JSON.stringify(data, (name, value: unknown) =>
    /cursor|person_?id|last_used/i.test(name) ? undefined : value,
  );
  return { path, data: JSON.parse(text.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "")) };
}
