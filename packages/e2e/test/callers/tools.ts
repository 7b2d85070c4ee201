import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json, OtherWorkspace } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { completeRespondent, smallQuestions, smallSurveyOf } from "../small-survey.ts";

let workspace: OtherWorkspace;
let mine: Client;
let others: Client;

async function connect(baseUrl: string, token: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit }));
  await client.listTools();
  return client;
}

/** Calls a tool, again while its error allows it. Returns its result, or `{ error }`. */
const call = (client: Client, name: string, given: Json): Promise<Json> =>
  waitFor(
    async () => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: given });
      if (!isError) return structuredContent;
      const told = JSON.parse((content[0] as { text: string }).text);
      return told.error.retryable ? undefined : told;
    },
    { describe: `the result of ${name}` },
  );

/** Tests the tools of `/mcp` over the whole journey. */
export function testTools(shared: SharedSystem): void {
  beforeAll(async () => {
    workspace = await shared.newWorkspace();
    const { baseUrl } = shared.demo.system.local;
    mine = await connect(baseUrl, workspace.token);
    others = await connect(baseUrl, (await shared.newWorkspace()).token);
  });
  afterAll(() => Promise.all([mine?.close(), others?.close()]));

  test("a survey is made, published, answered and read by tools, and other tenants see nothing of it", async () => {
    const { api } = workspace;
    await api.post("/event-subscriptions", { name: "feed" });
    const created = await call(mine, "create_survey", { name: "By tools", questions: smallQuestions });
    const { id: surveyId, questions } = created.data;
    const survey = smallSurveyOf(surveyId, questions);
    expect((await call(mine, "validate_draft", { surveyId })).data).toEqual({ valid: true, issues: [], warnings: [] });

    const pages = [{ key: "start", elements: [{ key: "overall", type: "rating", text: "How was it?" }] }];
    const imported = await call(mine, "import_survey", { name: "From a document", pages });
    expect(imported.data).toMatchObject({ name: "From a document", questionCount: 1 });

    const stale = { surveyId, ifMatch: '"0123456789abcdef"' };
    expect((await call(mine, "publish_survey", { surveyId })).error.code).toBe("precondition_required");
    expect((await call(mine, "publish_survey", stale)).error.code).toBe("precondition_failed");
    const { etag: ifMatch } = await call(mine, "get_survey", { surveyId });
    expect((await call(mine, "publish_survey", { surveyId, ifMatch })).data.versionNumber).toBe(1);

    const { data: link } = await call(mine, "create_link", { surveyId, name: "Everybody" });
    expect(link.status).toBe("draft");
    const active = await call(mine, "activate_link", { distributorId: link.id });
    expect(active.data.status).toBe("active");
    const respondentId = await completeRespondent(api, survey, 5);

    await api.call("DELETE", `/elements/${survey.textId}`);
    const planned = await call(mine, "plan_publication", { surveyId });
    expect(planned.data).toMatchObject({ class: "results_affecting", changes: [{ affectedResponses: 1 }] });
    const second = { surveyId, ifMatch: (await call(mine, "get_survey", { surveyId })).etag };
    const refused = await call(mine, "publish_survey", second);
    expect(refused.error.code).toBe("acknowledgement_required");
    const accepted = { ...second, acknowledge: [planned.data.changesId] };
    expect((await call(mine, "publish_survey", accepted)).data.versionNumber).toBe(2);

    expect((await call(mine, "get_results", { surveyId })).data.respondentStats.totalCompleted).toBe(1);
    const of = async (filter: object) => (await call(mine, "get_results", { surveyId, ...filter })).data;
    expect(await of({ completed: true })).toMatchObject({ basis: "answers", respondentCount: 1 });
    const where = JSON.stringify({ language: true, operator: "equals", value: "xx" });
    expect(await of({ where })).toMatchObject({ basis: "answers", respondentCount: 0 });
    const texts = await call(mine, "search_answers", { surveyId, elementId: survey.textId });
    expect(texts.data).toMatchObject([{ respondentId, value: "Good coffee." }]);
    const one = await call(mine, "get_respondent", { surveyId, respondentId, include: "answers" });
    expect(one.data.answers).toHaveLength(2);
    const feed = await waitFor(
      async () => {
        const read = await call(mine, "read_events", {});
        return read.data.length > 0 && read;
      },
      { describe: "the event in the feed" },
    );
    const explained = await call(mine, "explain_event", { eventId: feed.data[0].id });
    expect(explained.data).toMatchObject({ in_feed: true, subscriptions: [{ listening: true }] });
    expect((await call(mine, "list_webhooks", {})).data).toMatchObject([{ mode: "pull" }]);

    const entries = () => api.call("GET", `/audit-log?resource=${surveyId}&action=survey.published`);
    const log = await waitFor(async () => ((await entries()).data.length === 2 ? entries() : undefined), {
      describe: "the entries of the audit log",
    });
    expect(log.data[0]).toMatchObject({ actor: { token_id: workspace.tokenId }, ip: "127.0.0.1" });

    for (const [name, given, code] of [
      ["get_survey", { surveyId }, "survey_not_found"],
      ["plan_publication", { surveyId }, "survey_not_found"],
      ["publish_survey", { surveyId, ifMatch: "*" }, "survey_not_found"],
      ["get_results", { surveyId }, "survey_not_found"],
      ["search_answers", { surveyId }, "survey_not_found"],
      ["activate_link", { distributorId: link.id }, "distributor_not_found"],
      ["explain_event", { eventId: feed.data[0].id }, "event_not_found"],
    ] as const) {
      expect((await call(others, name, given)).error.code, name).toBe(code);
    }
    expect((await call(others, "list_surveys", {})).data).toEqual([]);
  });
}
