import { waitFor } from "@canvass/testing";
import type { ReceivedRequest } from "@canvass/testing/https-receiver";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readFeed, startDemoSystem, type ApiClient, type DemoSystem, type FeedEvent } from "../src/index.ts";
import { anyEtag, anyId, anyTime, expectSuccess } from "./expected-shapes.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "./small-survey.ts";
import { waitForItems } from "./wait-for-items.ts";

let demo: DemoSystem;
let api: ApiClient;
const deliveries: ReceivedRequest[] = [];

beforeAll(async () => {
  demo = await startDemoSystem();
  ({ api } = demo);
  demo.receiver.intercept((request) => void deliveries.push(request));
}, 120_000);
afterAll(() => demo?.[Symbol.asyncDispose]());

describe("the road from an empty workspace to a signed webhook", () => {
  const road = {} as SmallSurvey & { secret: string; webhookId: string; respondentId: string };

  test("a survey begins as a draft with one empty page", async () => {
    const created = await api.call("POST", "/surveys", { body: { name: "Lunch", description: "How was lunch?" } });
    expectSuccess(created, 201, {
      id: anyId,
      name: "Lunch",
      description: "How was lunch?",
      language: "en",
      type: 1,
      active: 0,
      ownerAccountId: demo.system.local.personId,
      settings: expect.objectContaining({ display: expect.any(Object), navigation: expect.any(Object) }),
      publishedVersion: null,
      hasUnpublishedChanges: true,
      questionCount: 0,
      responseCount: 0,
      createdAt: anyTime,
      updatedAt: anyTime,
    });
    expect(created.headers.get("etag")).toEqual(anyEtag);
    road.surveyId = created.data.id;
    const read = await api.call("GET", `/surveys/${road.surveyId}`);
    expectSuccess(read, 200, created.data);
    expect(read.headers.get("etag")).toBe(created.headers.get("etag"));
  });

  test("questions are added in the order of the request, with their ids", async () => {
    const added = await api.call("POST", `/surveys/${road.surveyId}/questions`, {
      body: {
        questions: [
          { type: "rating", text: "How did you like it?", required: true },
          { type: 4, text: "Would you come again?", choices: ["Yes", { text: "No" }], helpText: "Be honest." },
          { type: "short_text", text: "Anything else?", pageTitle: "Last words" },
        ],
      },
    });
    const ids = { elementId: anyId, questionId: anyId, pageId: anyId };
    const choices = ["Yes", "No"].map((text) => ({ id: anyId, text }));
    expectSuccess(added, 201, [
      { ...ids, type: 8, typeName: "rating", text: "How did you like it?" },
      { ...ids, type: 4, typeName: "multiple_choice", text: "Would you come again?", choices },
      { ...ids, type: 1, typeName: "short_text", text: "Anything else?" },
    ]);
    const [rating, choice, text] = added.data;
    expect(choice.pageId).toBe(rating.pageId);
    expect(text.pageId).not.toBe(rating.pageId);
    Object.assign(road, { ratingId: rating.elementId, choiceId: choice.elementId, textId: text.elementId });
    road.choices = choice.choices.map(({ id }: { id: string }) => id);
  });

  test("the element list pages by number", async () => {
    const path = `/surveys/${road.surveyId}/elements`;
    const [first, second] = [await api.call("GET", `${path}?limit=2`), await api.call("GET", `${path}?limit=2&page=2`)];
    const element = {
      surveyId: road.surveyId,
      pageId: anyId,
      questionId: anyId,
      createdAt: anyTime,
      updatedAt: anyTime,
    };
    expectSuccess(first, 200, [
      {
        ...element,
        id: road.ratingId,
        type: 8,
        typeName: "rating",
        sortOrder: expect.any(Number),
        questionText: "How did you like it?",
        helpText: null,
      },
      expect.objectContaining({ ...element, id: road.choiceId, helpText: "Be honest." }),
    ]);
    expect(first.body.pagination).toEqual({ total: 3, page: 1, limit: 2, totalPages: 2, hasMore: true });
    expectSuccess(second, 200, [expect.objectContaining({ id: road.textId })]);
    expect(second.body.pagination).toEqual({ total: 3, page: 2, limit: 2, totalPages: 2, hasMore: false });
  });

  test("settings are patched one by one, and every write gives a new ETag", async () => {
    const before = await api.get(`/surveys/${road.surveyId}`);
    const patched = await api.call("PATCH", `/surveys/${road.surveyId}`, {
      headers: { "if-match": before.headers.get("etag")! },
      body: { name: "Lunch today", settings: { display: { progressStyle: "steps" } } },
    });
    const { display } = before.data.settings;
    expectSuccess(patched, 200, {
      ...before.data,
      name: "Lunch today",
      settings: { ...before.data.settings, display: { ...display, progressStyle: "steps" } },
      updatedAt: anyTime,
    });
    expect(patched.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await api.get(`/surveys/${road.surveyId}`)).raw).toContain(
      patched.headers.get("etag")!.replaceAll('"', '\\"'),
    );
  });

  test("whoever has the present version is answered 304", async () => {
    const { headers } = await api.get(`/surveys/${road.surveyId}`);
    const again = await api.call("GET", `/surveys/${road.surveyId}`, {
      headers: { "if-none-match": `"other", ${headers.get("etag")}` },
    });
    expect({ status: again.status, raw: again.raw }).toEqual({ status: 304, raw: "" });
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
  });

  test("publishing freezes the draft as version 1", async () => {
    const before = await api.get(`/surveys/${road.surveyId}`);
    const etag = before.headers.get("etag")!;
    const published = await api.call("POST", `/surveys/${road.surveyId}/publish`, {
      headers: { "if-match": etag },
      body: { note: "first" },
    });
    expectSuccess(published, 200, { versionId: anyId, versionNumber: 1, publishedAt: anyTime });
    const survey = await api.get(`/surveys/${road.surveyId}`);
    expect(survey.data).toMatchObject({
      active: 1,
      publishedVersion: 1,
      hasUnpublishedChanges: false,
      questionCount: 3,
    });
    expect(survey.headers.get("etag")).toBe(published.headers.get("etag"));
    expect(survey.headers.get("etag")).not.toBe(etag);
  });

  test("a webhook shows its secret once, a feed has none", async () => {
    const subscription = {
      id: anyId,
      event_types: ["response.completed"],
      status: "active",
      status_reason: null,
      consecutive_failures: 0,
      last_success_at: null,
      created_at: anyTime,
      updated_at: anyTime,
    };
    const { url } = demo.receiver;
    const webhook = await api.call("POST", "/event-subscriptions", { body: { name: "Lunch hook", url } });
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    expectSuccess(webhook, 201, { ...subscription, name: "Lunch hook", mode: "push", url, secret });
    const feed = await api.call("POST", "/event-subscriptions", { body: { name: "Lunch feed" } });
    expectSuccess(feed, 201, { ...subscription, name: "Lunch feed", mode: "pull" });

    const { secret: shownOnce, ...shown } = webhook.data;
    const list = await api.call("GET", "/event-subscriptions");
    expectSuccess(list, 200, expect.arrayContaining([shown, feed.data]));
    expect(list.raw).not.toContain("whsec_");
    expectSuccess(await api.call("GET", `/event-subscriptions/${shown.id}`), 200, shown);
    demo.receiver.trust(shownOnce);
    Object.assign(road, { secret: shownOnce, webhookId: shown.id });
  });

  test("a respondent starts on the published version and gets further page by page", async () => {
    const path = `/response/surveys/${road.surveyId}`;
    const started = await api.call("POST", `${path}/respondents`, { body: {} });
    expectSuccess(started, 201, { respondentId: anyId, status: "started", versionNumber: 1, startedAt: anyTime });
    road.respondentId = started.data.respondentId;

    const { data: elements } = await api.get(`/surveys/${road.surveyId}/elements`);
    const [firstPage, , lastPage] = elements.map(({ pageId }: { pageId: string }) => pageId);
    const body = {
      respondentId: road.respondentId,
      pageId: firstPage,
      responses: [
        { elementId: road.ratingId, type: "rating", value: 4, meta: { seconds: 3 } },
        { elementId: road.choiceId, type: "multiple_choice", value: road.choices[0] },
      ],
    };
    const submitted = await api.call("POST", path, { body });
    const answer = { id: anyId, status: "submitted", submittedAt: anyTime };
    expectSuccess(submitted, 200, {
      respondentId: road.respondentId,
      respondentStatus: "started",
      responses: [
        { ...answer, elementId: road.ratingId },
        { ...answer, elementId: road.choiceId },
      ],
    });
    expectSuccess(await api.call("GET", `${path}/respondents/${road.respondentId}`), 200, {
      respondentId: road.respondentId,
      surveyId: road.surveyId,
      status: "started",
      versionNumber: 1,
      progress: { pageId: firstPage, percentComplete: 66 },
      startedAt: started.data.startedAt,
      completedAt: null,
    });

    const last = { elementId: road.textId, type: "short_text", value: "Good coffee." };
    const finished = await api.call("POST", path, {
      body: { respondentId: road.respondentId, pageId: lastPage, responses: [last] },
    });
    expect(finished.data.respondentStatus).toBe("completed");
    const completed = await api.get(`${path}/respondents/${road.respondentId}`);
    expect(completed.data).toMatchObject({
      status: "completed",
      progress: { pageId: lastPage, percentComplete: 100 },
      completedAt: anyTime,
    });
  });

  test("the aggregation shows it at once", async () => {
    const read = await api.call("GET", `/response/surveys/${road.surveyId}/aggregation`);
    const stats = { questionId: anyId, responseCount: 1, uniqueRespondents: 1 };
    const [yes, no] = road.choices;
    expectSuccess(read, 200, {
      surveyId: road.surveyId,
      questionStats: [
        {
          ...stats,
          elementId: road.ratingId,
          typeName: "rating",
          distribution: expect.objectContaining({ mean: 4, min: 4, max: 4 }),
        },
        {
          ...stats,
          elementId: road.choiceId,
          typeName: "multiple_choice",
          distribution: { counts: expect.objectContaining({ [yes!]: 1 }) },
        },
        { ...stats, elementId: road.textId, typeName: "short_text", distribution: {} },
      ],
      respondentStats: {
        totalStarted: 1,
        totalCompleted: 1,
        completionRate: 100,
        avgCompletionTime: expect.any(Number),
      },
      completionTrend: expect.any(Array),
    });
    expect(read.data.questionStats[1].distribution.counts[no!] ?? 0).toBe(0);
    const trend: { date: string; completions: number }[] = read.data.completionTrend;
    expect(trend).toHaveLength(30);
    expect(trend.map(({ date }) => date)).toEqual(lastDaysUntil(trend.at(-1)!.date, 30));
    expect(trend.reduce((sum, { completions }) => sum + completions, 0)).toBe(1);
  });

  test("the webhook arrives, signed, and says what the spec says", async () => {
    const [delivery] = await waitFor(() => (deliveries.length > 0 ? deliveries : undefined), {
      describe: "the webhook",
      timeoutMs: 20_000,
    });
    const { method, path, headers, body } = delivery!;
    expect({ method, path }).toEqual({ method: "POST", path: "/hook" });
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["user-agent"]).toMatch(/^[A-Za-z]+-Webhooks\/1$/);
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(300);
    new Webhook(road.secret).verify(body, headers as Record<string, string>);
    const { completedAt } = (await api.get(`/response/surveys/${road.surveyId}/respondents/${road.respondentId}`)).data;
    expect(JSON.parse(body)).toEqual({
      type: "response.completed",
      timestamp: completedAt,
      data: {
        workspace_id: demo.system.local.workspaceId,
        survey_id: road.surveyId,
        response_id: road.respondentId,
        completed_at: completedAt,
      },
    });
  });

  test("the feed has the same event under the same id", async () => {
    const page = await waitForItems(api, "/events");
    const { headers, body } = deliveries[0]!;
    expectSuccess(page, 200, [
      { id: headers["webhook-id"], ...JSON.parse(body), cursor: expect.stringMatching(/^[A-Za-z0-9_.~-]+$/) },
    ]);
    const cursor = page.data[0].cursor;
    expect(page.body.pagination).toEqual({ cursor_next: cursor, hasMore: false });
    const end = await api.call("GET", `/events?cursor=${cursor}`);
    expectSuccess(end, 200, []);
    expect(end.body.pagination).toEqual({ cursor_next: cursor, hasMore: false });
  });

  test("the delivery is listed with its attempt", async () => {
    const path = `/event-subscriptions/${road.webhookId}/deliveries`;
    const list = await waitForItems(api, `${path}?status=delivered`);
    expectSuccess(list, 200, [
      {
        id: anyId,
        event_id: deliveries[0]!.headers["webhook-id"],
        event_type: "response.completed",
        status: "delivered",
        created_at: anyTime,
        next_attempt_at: null,
        redelivery_of: null,
        attempts: [
          {
            number: 1,
            attempted_at: anyTime,
            duration_ms: expect.any(Number),
            outcome: "success",
            status_code: 204,
            response_body: "",
          },
        ],
      },
    ]);
    expect(list.body.pagination).toEqual({ cursor_next: null, hasMore: false });
    expect((await api.get(`${path}?status=failed`)).data).toEqual([]);
  });

  test("the survey counts the response", async () => {
    await waitFor(async () => (await api.get(`/surveys/${road.surveyId}`)).data.responseCount === 1, {
      describe: "the response count of the survey",
      timeoutMs: 20_000,
    });
  });

  test("answers of a test token are left out of results and events", async () => {
    const { data } = await api.post("/tokens", { name: "test", scopes: ["full_access"], is_live: false });
    expect(data.token).toMatch(/^cvs_test_/);
    const asTest = { authorization: `Bearer ${data.token}` };
    const path = `/response/surveys/${road.surveyId}`;
    const { respondentId } = (await api.post(`${path}/respondents`, {}, asTest)).data;
    const before = await api.get(`${path}/aggregation`);
    const submitted = await api.post(path, completion(road, respondentId, 1), asTest);
    expect(submitted.data.respondentStatus).toBe("completed");
    expect((await api.get(`${path}/aggregation`)).data).toEqual(before.data);

    // An event of the test answers would stand before that of the live ones that follow.
    const live = await startRespondent(api, road);
    await api.post(path, completion(road, live));
    const { data: events } = await waitForItems(api, "/events", 2);
    expect(events.map((event: FeedEvent) => event.data.response_id)).toEqual([road.respondentId, live]);
  });
});

function lastDaysUntil(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

describe("a completion on a survey with full anonymity", () => {
  test("tells the day only", async () => {
    const survey = await publishSmallSurvey(api, "Anonymous");
    await api.call("PATCH", `/surveys/${survey.surveyId}`, {
      headers: { "if-match": "*" },
      body: { settings: { privacy: { anonymity: "full" } } },
    });
    const respondentId = await startRespondent(api, survey);
    await api.post(`/response/surveys/${survey.surveyId}`, completion(survey, respondentId));
    const event = await waitFor(
      async () => (await readFeed(api)).events.find(({ data }) => data.response_id === respondentId),
      { describe: "the anonymous completion", timeoutMs: 20_000 },
    );
    expect(event.data.completed_at).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(event.timestamp).toBe(`${event.data.completed_at}T00:00:00.000Z`);
    const read = await api.get(`/response/surveys/${survey.surveyId}/respondents/${respondentId}`);
    expect(read.data.completedAt).toBe(event.data.completed_at);
    expect(read.data.startedAt).toMatch(/T\d\d:00:00\.000Z$/);
  });
});
