import { firstIdOf } from "@canvass/values";
import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiClient, DemoSystem } from "../src/index.ts";
import { openDatabases, type Databases } from "./databases.ts";
import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { memoryOf } from "./process-memory.ts";
import { createWorkspace } from "./second-workspace.ts";
import { completion, publishSmallSurvey, startRespondent } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";

const respondents = 40_000;
const questions = 25;
const answers = respondents * questions;

const parts = new AsyncDisposableStack();
let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;
beforeAll(async () => {
  demo = parts.use(await startTestSystem());
  ({ api } = demo);
  databases = parts.use(openDatabases(demo.system.local.databaseUrl));
});
afterAll(() => parts.disposeAsync());
expectNoBlockedLoops(() => demo.system);

/** Creates a survey and inserts `respondents` people who answered it last week. Returns its id. */
async function answeredSurvey(): Promise<string> {
  const list = Array.from({ length: questions }, (_, index) => ({ type: "rating", text: `Question ${index}` }));
  const { data: survey } = await api.post("/surveys", { name: "A million", questions: list });
  await api.call("POST", `/surveys/${survey.id}/publish`, { headers: { "if-match": "*" } });
  const { data: first } = await api.post(`/response/surveys/${survey.id}/respondents`, {});
  const { data: elements } = await api.get(`/surveys/${survey.id}/elements`);
  const begun = Date.now() - 7 * 86_400_000;
  const ids = Array.from({ length: respondents }, (_, index) => firstIdOf(new Date(begun + index)));
  await databases.query(
    "response",
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test, is_anonymous,
       started_at, last_seen_at)
     SELECT workspace_id, survey_id, id, version_id, version_number, false, false, $3, $3
     FROM respondents, unnest($1::text[]) AS id WHERE respondent_id = $2`,
    [ids, first.respondentId, new Date(begun)],
  );
  const values = Object.fromEntries((elements as { id: string }[]).map(({ id }) => [id, 4]));
  await databases.query(
    "response",
    `INSERT INTO answer_sets (workspace_id, survey_id, respondent_id, part, submitted_at, answers)
     SELECT workspace_id, survey_id, respondent_id, 0, started_at + interval '1 ms' * (row_number() OVER ()), $1
     FROM respondents WHERE survey_id = $2 AND respondent_id <> $3`,
    [values, survey.id, first.respondentId],
  );
  return survey.id;
}

/** Opens the stream of a survey's answers. */
async function openRows(surveyId: string): Promise<IncomingMessage> {
  const { baseUrl, token } = demo.system.local;
  const headers = { authorization: `Bearer ${token}`, accept: "application/x-ndjson" };
  const request = get(`${baseUrl}/response/surveys/${surveyId}`, { headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

let surveyId: string;

test("a million answers stream with constant memory, no process blocks its event loop, and another workspace is served", async () => {
  surveyId = await answeredSurvey();
  await using other = await createWorkspace(demo.system);
  const small = await publishSmallSurvey(other.api);
  const state = { ended: false, submitted: 0 };
  const submitting = (async () => {
    while (!state.ended) {
      const respondentId = await startRespondent(other.api, small);
      const path = `/response/surveys/${small.surveyId}`;
      const { status } = await other.api.call("POST", path, { body: completion(small, respondentId) });
      expect(status).toBe(200);
      state.submitted += 1;
    }
  })();
  const response = await openRows(surveyId);
  expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "application/x-ndjson"]);
  let [rows, last, before] = [0, "", memoryOf(demo.system)];
  for await (const chunk of response) {
    const bytes = chunk as Buffer;
    const wasWarm = rows > answers / 10;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) rows += 1;
    last = (last + bytes.toString()).slice(-2_000);
    if (!wasWarm && rows > answers / 10) before = memoryOf(demo.system);
  }
  state.ended = true;
  await submitting;
  const after = memoryOf(demo.system);
  expect(rows).toBe(answers);
  for (const name of ["gateway", "response"]) {
    expect([name, after[name]!.peak - before[name]!.peak < 128], JSON.stringify({ before, after })).toEqual([
      name,
      true,
    ]);
  }
  expect(state.submitted).toBeGreaterThan(0);
  const { cursor } = JSON.parse(last.trimEnd().split("\n").at(-1)!) as { cursor: string };
  const end = await api.get(`/response/surveys/${surveyId}?cursor=${cursor}`);
  expect([end.data, end.body.pagination]).toEqual([[], { cursor_next: cursor, hasMore: false }]);
});

test("an export of them blocks no event loop", async () => {
  const { data } = await api.post(`/exports/surveys/${surveyId}`, { format: "xlsx", includePartial: true });
  const done = async () => (await api.get(`/exports/${data.id}`)).data.status === "completed";
  await waitFor(done, { describe: "the export", timeoutMs: 180_000 });
});
