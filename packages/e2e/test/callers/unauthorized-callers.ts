import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createApiClient,
  readFeed,
  type ApiResponse,
  type ApiClient,
  type CallOptions,
  type DemoSystem,
  type OtherWorkspace,
} from "../../src/index.ts";
import { uploadOwnFile } from "../../src/upload-file.ts";
import { openDatabases, expectNoTrace, type Databases } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { listAuthenticatedOperations } from "../list-operations.ts";
import type { SharedSystem } from "../shared-system.ts";
import {
  completeRespondent,
  completion,
  publishSmallSurvey,
  startRespondent,
  type SmallSurvey,
} from "../small-survey.ts";

let demo: DemoSystem;
let workspace: OtherWorkspace;
let api: ApiClient;
let databases: Databases;
let survey: SmallSurvey;
let other: OtherWorkspace;
let othersSurvey: SmallSurvey;
let foreign: Record<string, string>;

/** Returns an event in the other workspace's feed. */
async function completedEvent(): Promise<string> {
  await completeRespondent(other.api, othersSurvey);
  const first = async () => (await readFeed(other.api)).events[0]?.id;
  return waitFor(first, { describe: "the event in the feed", timeoutMs: 60_000 });
}

/**
 * Tests callers without a token, without the right, or of another workspace. Call it first: it compares all rows, so
 * there should be few.
 */
export function testUnauthorizedCallers(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    workspace = await shared.newWorkspace();
    ({ api } = workspace);
    databases = openDatabases(demo.system.local.databaseUrl);
    survey = await publishSmallSurvey(api);
    other = await shared.newWorkspace();
    othersSurvey = await publishSmallSurvey(other.api);
    foreign = {
      tokenId: other.tokenId,
      surveyId: othersSurvey.surveyId,
      respondentId: await startRespondent(other.api, othersSurvey),
      subscriptionId: (await other.api.post("/event-subscriptions", { name: "theirs" })).data.id,
      pageId: othersSurvey.pageId,
      elementId: othersSurvey.choiceId,
      choiceId: othersSurvey.choices[0]!,
      versionId: (await other.api.get(`/surveys/${othersSurvey.surveyId}/versions`)).data[0].versionId,
      exportId: (await other.api.post(`/exports/surveys/${othersSurvey.surveyId}`, { format: "csv" })).data.id,
      distributorId: (await other.api.post(`/distribution/surveys/${othersSurvey.surveyId}`, { name: "theirs" })).data
        .id,
      contactId: (await other.api.post("/contacts", { email: "theirs@example.org" })).data.id,
      importId: (await other.api.post("/contacts/imports", { rows: [{ email: "theirs@example.org" }] })).data.id,
      eventId: await completedEvent(),
      fileId: (await uploadOwnFile(demo.system.local.baseUrl, other.token)).uploaded.data.fileId,
      backupId: (await other.api.post(`/surveys/${othersSurvey.surveyId}/draft/backups`)).data.backupId,
    };
  });
  afterAll(() => databases?.[Symbol.asyncDispose]());

  describe("a token", () => {
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const noToken = () => createApiClient(demo.system.local.baseUrl, "");

    test("that is missing is 401 on every operation that needs one", async () => {
      await using anonymous = noToken();
      const operations = await listAuthenticatedOperations(api);
      expect(operations.length).toBeGreaterThan(20);
      for (const { method, path } of operations) {
        const answer = await anonymous.call(method, path.replaceAll(/\{\w+\}/g, "0".repeat(16)), {
          headers: { authorization: "" },
        });
        expectRefusal(answer, 401, "unauthorized", {});
        expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="canvass"');
      }
    });

    test.each([
      ["of another scheme", "Basic dXNlcjpwYXNz", "unauthorized"],
      ["that is no token", "Bearer hello", "invalid_token"],
      ["that is empty", "Bearer ", "unauthorized"],
    ])("%s is 401", async (_what, authorization, code) => {
      const answer = await api.call("GET", "/surveys", { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(["invalid_token", code]).toContain(answer.body.error?.code);
    });

    test("with a typo is refused, also when the token service has never seen it", async () => {
      const { token } = workspace;
      const at = token.length - 12;
      const swapped = token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1);
      for (const wrong of [swapped, `${token}x`, token.slice(0, -1), token.toLowerCase()]) {
        expectRefusal(await api.call("GET", "/surveys", bearer(wrong)), 401, "invalid_token", {});
      }
    });

    test("without the scope is 403 naming it, and nothing is written", async () => {
      const { data } = await api.post("/tokens", { name: "reader", scopes: ["surveys:read"] });
      await expectNoTrace(databases, async () => {
        const answer = await api.call("POST", "/surveys", { ...bearer(data.token), body: { name: "Mine" } });
        expectRefusal(answer, 403, "insufficient_scope", { required_scope: "surveys:write" });
      });
      expect((await api.call("GET", "/surveys", bearer(data.token))).status).toBe(200);
    });

    test("of full access does not manage webhooks unless that scope is named", async () => {
      const { data } = await api.post("/tokens", { name: "full", scopes: ["full_access"] });
      const answer = await api.call("POST", "/event-subscriptions", { ...bearer(data.token), body: { name: "Feed" } });
      expectRefusal(answer, 403, "insufficient_scope", { required_scope: "events:write" });
    });

    test("does not reach another workspace, whether there is one or not", async () => {
      const answers = [];
      for (const workspaceId of [other.workspaceId, "0".repeat(16), "no id"]) {
        answers.push(await api.call("GET", "/surveys", { headers: { "x-workspace-id": workspaceId } }));
      }
      for (const answer of answers) expectRefusal(answer, 403, "workspace_not_accessible", {});
      expect((await api.call("GET", "/surveys", { headers: { "x-workspace-id": workspace.workspaceId } })).status).toBe(
        200,
      );
    });
  });

  describe("what belongs to another workspace", () => {
    /** Bodies that replace the document's examples. */
    const bodies: Record<string, () => unknown> = {
      "POST /response/surveys/{surveyId}": () => completion(othersSurvey, foreign["respondentId"]!),
    };
    const refusals = [
      [/^\/tokens/, 404, "token_not_found"],
      [/^\/exports\/(?!surveys)/, 404, "export_not_found"],
      [/^\/distribution\/(?!surveys)/, 404, "distributor_not_found"],
      [/^\/(contacts|response)\/imports/, 404, "import_not_found"],
      [/^\/contacts\//, 404, "contact_not_found"],
      [/^\/event-subscriptions/, 403, "subscription_not_found"],
      [/^\/events\//, 404, "event_not_found"],
      [/^\/files\//, 404, "file_not_found"],
      [/^\/(elements|multiple-choice|nps|rating)\//, 403, "element_not_found"],
      [/./, 404, "survey_not_found"],
    ] as const;
    const absent = "zzzzzzzzzzzzzzzz";
    const shapeless = "No-Such-Id";

    const fill = (path: string, ids: Record<string, string>) =>
      path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? absent);

    test("is answered like what does not exist, field by field, on every operation with an id", async () => {
      const withIds = (await listAuthenticatedOperations(api)).filter(({ path }) => path.includes("{"));
      expect(withIds.length).toBeGreaterThanOrEqual(45);
      for (const { method, path, body: example, mediaType = "application/json", needsIfMatch } of withIds) {
        const name = `${method} ${path}`;
        const body = bodies[name]?.() ?? example;
        const options = (): CallOptions => ({
          headers: {
            ...(needsIfMatch && { "if-match": "*" }),
            ...(body !== undefined && { "content-type": mediaType }),
          },
          ...(body !== undefined && { body }),
        });
        const answers = await expectNoTrace(databases, async () => ({
          foreign: await api.call(method, fill(path, foreign), options()),
          absent: await api.call(method, fill(path, {}), options()),
          shapeless: await api.call(method, path.replaceAll(/\{\w+\}/g, shapeless), options()),
        }));
        const [, status, code] = refusals.find(([pattern]) => pattern.test(path))!;
        expectRefusal(answers.foreign, status, code, {});
        expect(comparable(answers.foreign), name).toEqual(comparable(answers.absent));
        expect(comparable(answers.foreign), name).toEqual(comparable(answers.shapeless));
      }
    });

    test("holds for respondents: another workspace's, another survey's and absent ones get the same answer", async () => {
      const another = await publishSmallSurvey(api, "Another survey");
      const ofAnother = await startRespondent(api, another);
      const answers = await expectNoTrace(databases, async () => {
        const list: ApiResponse[] = [];
        for (const respondentId of [foreign["respondentId"]!, ofAnother, absent]) {
          const path = `/response/surveys/${survey.surveyId}`;
          list.push(await api.call("GET", `${path}/respondents/${respondentId}`));
          list.push(await api.call("POST", path, { body: completion(survey, respondentId) }));
        }
        return list;
      });
      for (const answer of answers) expectRefusal(answer, 404, "respondent_not_found", {});
      expect(new Set(answers.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1);
    });

    test("does not appear in lists", async () => {
      await api.post("/event-subscriptions", { name: "mine" });
      const ids: string[] = [];
      for (const path of ["/surveys?limit=100", "/tokens", "/event-subscriptions", "/contacts"]) {
        ids.push(...(await api.get(path)).data.map(({ id }: { id: string }) => id));
      }
      expect(ids).toContain(survey.surveyId);
      for (const id of Object.values(foreign)) expect(ids).not.toContain(id);
    });
  });
}

const changing = new Set(["date", "x-request-id", "content-length"]);

/** A response without the parts that differ for each request. */
function comparable({ status, headers, body }: ApiResponse) {
  const { timestamp: _at, requestId: _id, ...meta } = body.meta;
  const stable = [...headers].filter(([name]) => !changing.has(name));
  return { status, headers: Object.fromEntries(stable), body: { ...body, meta } };
}
