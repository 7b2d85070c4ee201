import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoSystem, type ApiClient, type DemoSystem } from "../src/index.ts";
import { openDatabases, withoutTrace, type Databases } from "./databases.ts";
import { expectNoLeak, expectRefusal } from "./expected-shapes.ts";
import { createWorkspace } from "./second-workspace.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "./small-survey.ts";

let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;
let survey: SmallSurvey;
let anotherSurvey: SmallSurvey;

beforeAll(async () => {
  demo = await startDemoSystem();
  ({ api } = demo);
  databases = openDatabases(demo.system.local.databaseUrl);
  survey = await publishSmallSurvey(api);
  anotherSurvey = await publishSmallSurvey(api, "Another survey");
}, 120_000);
afterAll(async () => {
  await databases?.[Symbol.asyncDispose]();
  await demo?.[Symbol.asyncDispose]();
});

describe("a body", () => {
  const post = (body: string, headers: Record<string, string> = {}) => api.call("POST", "/surveys", { body, headers });

  test.each([
    ["is no JSON", '{"name": '],
    ["has a trailing comma", '{"name":"x",}'],
    ["has two values", '{"name":"x"}{}'],
  ])("that %s is 400", async (_what, body) => {
    expectRefusal(await withoutTrace(databases, () => post(body)), 400, "malformed_json", {});
  });

  test("that is not UTF-8 is 400", async () => {
    const { baseUrl, token } = demo.system.local;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = Buffer.from('{"name":"\xff"}', "latin1");
    const answer = await withoutTrace(databases, () => fetch(`${baseUrl}/surveys`, { method: "POST", headers, body }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "malformed_json" } });
  });

  test.each([
    ["is missing", ""],
    ["is null", "null"],
  ])("that %s is 400", async (_what, body) => {
    expectRefusal(await withoutTrace(databases, () => post(body)), 400, "invalid_request", {
      body: [expect.any(String)],
    });
  });

  test.each(["[]", '"text"', "5", "true"])("that is no object, %s, is 422", async (body) => {
    expectRefusal(await withoutTrace(databases, () => post(body)), 422, "validation_failed");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data; boundary=x"])(
    "of type %s is 415",
    async (type) => {
      const answer = await withoutTrace(databases, () => post('{"name":"x"}', { "content-type": type }));
      expectRefusal(answer, 415, "unsupported_media_type", {});
    },
  );

  test("of more than 1 MiB is 413, of exactly 1 MiB is read", async () => {
    const ofLength = (bytes: number) => {
      const around = '{"name":""}'.length;
      return `{"name":"${"x".repeat(bytes - around)}"}`;
    };
    await withoutTrace(databases, async () => {
      expectRefusal(await post(ofLength(1_048_577)), 413, "payload_too_large", {});
      expectRefusal(await post(ofLength(1_048_576)), 422, "validation_failed", { name: [expect.any(String)] });
    });
  });

  test("of hostile depth or keys is refused", async () => {
    const deep = `{"name":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const hostile = [deep, '{"name":"x","__proto__":{"active":1}}', '{"name":"x","constructor":{"prototype":{}}}'];
    await withoutTrace(databases, async () => {
      for (const body of hostile) expect([400, 422]).toContain((await post(body)).status);
    });
  });

  test("with unknown fields and wrong types has every fault named", async () => {
    const body = {
      name: 5,
      language: "not a language",
      type: "survey",
      colour: "red",
      settings: { display: { progressStyle: "wheel", sparkle: true }, weather: {} },
      questions: [
        { type: "rating" },
        { type: "telepathy", text: "?" },
        { type: "multiple_choice", text: "", choices: [7] },
      ],
    };
    const answer = await withoutTrace(databases, () => api.call("POST", "/surveys", { body }));
    expectRefusal(answer, 422, "validation_failed");
    expect(Object.keys(answer.body.error!.details).sort()).toEqual(
      expect.arrayContaining([
        "colour",
        "language",
        "name",
        "questions.0.text",
        "questions.1.type",
        "questions.2.text",
        "settings.display.progressStyle",
        "settings.display.sparkle",
        "settings.weather",
        "type",
      ]),
    );
    for (const messages of Object.values(answer.body.error!.details)) {
      expect(messages).toEqual(expect.arrayContaining([expect.any(String)]));
    }
  });

  test("of a token operation at fault is 400 with the same details", async () => {
    for (const [body, field] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "x", scopes: ["everything"] }, "scopes"],
      [{ name: "x", scopes: "surveys:read" }, "scopes"],
      [{ name: "x", scopes: [] }, "scopes"],
      [{ name: "x", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
      [{ name: "x", expires_at: "tomorrow" }, "expires_at"],
      [{ name: "x", admin: true }, "admin"],
    ] as const) {
      const answer = await withoutTrace(databases, () => api.call("POST", "/tokens", { body }));
      expectRefusal(answer, 400, "invalid_request");
      expect(Object.keys(answer.body.error!.details)[0], JSON.stringify(body)).toMatch(new RegExp(`^${field}`));
    }
  });

  test("without an update is 400", async () => {
    const patch = { headers: { "if-match": "*" }, body: {} };
    await withoutTrace(databases, async () => {
      expectRefusal(await api.call("PATCH", `/surveys/${survey.surveyId}`, patch), 400, "invalid_request");
      const { id } = (await api.get("/tokens")).data[0];
      expectRefusal(await api.call("PATCH", `/tokens/${id}`, patch), 400, "invalid_request");
    });
  });
});

describe("a query", () => {
  test.each([
    ["/surveys?limit=0", "limit"],
    ["/surveys?limit=101", "limit"],
    ["/surveys?limit=ten", "limit"],
    ["/surveys?sort=colour", "sort"],
    ["/surveys?active=2", "active"],
    ["/surveys?surprise=1", "surprise"],
    ["/surveys?cursor=made-up", "cursor"],
    ["/events?limit=101", "limit"],
    ["/events?cursor=made-up", "cursor"],
  ])("%s is 422 on what is wrong", async (path, field) => {
    expectRefusal(await api.call("GET", path), 422, "validation_failed", { [field]: [expect.any(String)] });
  });

  test("with a cursor of another list, filter or workspace is 422", async () => {
    await using other = await createWorkspace(demo.system);
    const { cursor_next: cursor } = (await api.get("/surveys?limit=1")).body.pagination;
    const encoded = encodeURIComponent(cursor);
    expect((await api.call("GET", `/surveys?limit=1&cursor=${encoded}`)).status).toBe(200);
    const misuses = [
      await api.call("GET", `/surveys?limit=1&active=1&cursor=${encoded}`),
      await api.call("GET", `/events?cursor=${encoded}`),
      await other.api.call("GET", `/surveys?limit=1&cursor=${encoded}`),
      await api.call("GET", `/surveys?limit=1&cursor=${encoded.slice(0, -2)}aa`),
    ];
    for (const misuse of misuses) {
      expectRefusal(misuse, 422, "validation_failed", { cursor: [expect.any(String)] });
    }
  });
});

describe("answers", () => {
  const submit = (respondentId: string, responses: unknown, more: object = {}) =>
    api.call("POST", `/response/surveys/${survey.surveyId}`, { body: { respondentId, responses, ...more } });

  test("of the wrong shape are 422 one by one, and none of the others is stored", async () => {
    const respondentId = await startRespondent(api, survey);
    const { ratingId, choiceId, textId } = survey;
    const good = { elementId: textId, type: "short_text", value: "fine" };
    const wrong: [unknown, string][] = [
      [{ elementId: ratingId, type: "rating", value: 6 }, "responses.1.value"],
      [{ elementId: ratingId, type: "rating", value: "4" }, "responses.1.value"],
      [{ elementId: ratingId, type: "rating", value: 2.5 }, "responses.1.value"],
      [{ elementId: ratingId, type: "nps", value: 4 }, "responses.1.type"],
      [{ elementId: choiceId, type: "multiple_choice", value: "zzzzzzzzzzzzzzzz" }, "responses.1.value"],
      [{ elementId: choiceId, type: "multiple_choice", value: survey.choices }, "responses.1.value"],
      [{ elementId: choiceId, type: "multiple_choice", value: { a: 1 } }, "responses.1.value"],
      [{ elementId: textId, type: "short_text", value: "twice" }, "responses.1.elementId"],
      [{ elementId: "zzzzzzzzzzzzzzzz", type: "rating", value: 4 }, "responses.1.elementId"],
      [{ elementId: anotherSurvey.ratingId, type: "rating", value: 4 }, "responses.1.elementId"],
      [{ elementId: ratingId, type: "rating" }, "responses.1.value"],
      [{ elementId: ratingId, type: "rating", value: 4, extra: 1 }, "responses.1.extra"],
      [{ elementId: ratingId, type: "rating", value: 4, meta: { a: "x".repeat(4096) } }, "responses.1.meta"],
      [7, "responses.1"],
    ];
    for (const [answer, path] of wrong) {
      const refused = await withoutTrace(databases, () => submit(respondentId, [good, answer]));
      expectRefusal(refused, 422, "validation_failed");
      const places = Object.keys(refused.body.error!.details);
      expect(places.length, JSON.stringify(answer)).toBeGreaterThan(0);
      expect(places.filter((place) => !place.startsWith(path))).toEqual([]);
    }
  });

  test("have all faults of a submission in one answer", async () => {
    const refused = await withoutTrace(databases, () =>
      submit("zzzzzzzzzzzzzzzz", [{ elementId: 1 }, "x"], { pageId: 7, metadata: [], colour: "red" }),
    );
    expectRefusal(refused, 422, "validation_failed");
    expect(Object.keys(refused.body.error!.details)).toEqual(
      expect.arrayContaining(["responses.0.elementId", "responses.1", "pageId", "metadata", "colour"]),
    );
  });

  test("of more than 500 questions at once are refused", async () => {
    const respondentId = await startRespondent(api, survey);
    const many = Array.from({ length: 501 }, () => ({ elementId: survey.ratingId, type: "rating", value: 1 }));
    const refused = await withoutTrace(databases, () => submit(respondentId, many));
    expectRefusal(refused, 422, "validation_failed");
    expect(Object.keys(refused.body.error!.details)).toContain("responses");
  });

  test("without a respondent id are 400", async () => {
    const body = { responses: [] };
    const refused = await withoutTrace(databases, () =>
      api.call("POST", `/response/surveys/${survey.surveyId}`, { body }),
    );
    expectRefusal(refused, 400, "invalid_request");
  });

  test("to a survey that was never published are refused", async () => {
    const { data } = await api.post("/surveys", { name: "Draft", questions: [{ type: "yes_no", text: "Is it?" }] });
    const refused = await withoutTrace(databases, () =>
      api.call("POST", `/response/surveys/${data.id}/respondents`, { body: {} }),
    );
    expectRefusal(refused, 422, "survey_not_collecting");
  });

  test("of somebody who has completed are refused when the settings say so", async () => {
    const respondentId = await startRespondent(api, survey);
    const path = `/response/surveys/${survey.surveyId}`;
    await api.post(path, completion(survey, respondentId));
    const refused = await withoutTrace(databases, () =>
      api.call("POST", path, { body: completion(survey, respondentId, 1) }),
    );
    expectRefusal(refused, 422, "validation_failed");
  });
});

describe("preconditions", () => {
  const patch = (surveyId: string, headers: Record<string, string>, name = "Patched") =>
    api.call("PATCH", `/surveys/${surveyId}`, { headers, body: { name } });

  test("that are missing are 428, stale ones 412, and nothing is written", async () => {
    const { surveyId } = survey;
    const etag = (await api.get(`/surveys/${surveyId}`)).headers.get("etag")!;
    const fresh = await patch(surveyId, { "if-match": etag });
    expect(fresh.status).toBe(200);
    await withoutTrace(databases, async () => {
      expectRefusal(await patch(surveyId, {}), 428, "precondition_required");
      for (const stale of [etag, '"made up"', `W/${fresh.headers.get("etag")}`, "no tag", `${etag}, "other"`]) {
        expectRefusal(await patch(surveyId, { "if-match": stale }), 412, "precondition_failed");
      }
      const publish = `/surveys/${surveyId}/publish`;
      expectRefusal(await api.call("POST", publish, { body: {} }), 428, "precondition_required");
      const stale = { headers: { "if-match": etag }, body: {} };
      expectRefusal(await api.call("POST", publish, stale), 412, "precondition_failed");
    });
    expect((await patch(surveyId, { "if-match": `"other", ${fresh.headers.get("etag")}` })).status).toBe(200);
    expect((await patch(surveyId, { "if-match": "*" })).status).toBe(200);
  });

  test("let exactly one of many concurrent writers through", async () => {
    const { surveyId } = await publishSmallSurvey(api, "Contended");
    const etag = (await api.get(`/surveys/${surveyId}`)).headers.get("etag")!;
    const names = Array.from({ length: 20 }, (_, index) => `Writer ${index}`);
    const answers = await Promise.all(names.map((name) => patch(surveyId, { "if-match": etag }, name)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectRefusal(answer, 412, "precondition_failed");
    const now = await api.get(`/surveys/${surveyId}`);
    expect(now.data.name).toBe(winners[0]!.data.name);
    expect(now.headers.get("etag")).toBe(winners[0]!.headers.get("etag"));
  });
});

describe("rules of the survey", () => {
  test("a patch with one wrong value applies nothing, and the first unknown setting lists those there are", async () => {
    const answer = await withoutTrace(databases, () =>
      api.call("PATCH", `/surveys/${survey.surveyId}`, {
        headers: { "if-match": "*" },
        body: { name: "Half", settings: { display: { progressStyle: "steps", glitter: 1 } } },
      }),
    );
    expectRefusal(answer, 422, "validation_failed");
    const { details } = answer.body.error!;
    expect(Object.keys(details)).toEqual(["settings.display.glitter"]);
    expect(details["settings.display.glitter"].join(" ")).toContain("display.progressStyle");
  });

  test("`active` cannot be patched", async () => {
    const headers = { "if-match": "*" };
    const path = `/surveys/${survey.surveyId}`;
    const refused = await withoutTrace(databases, () => api.call("PATCH", path, { headers, body: { active: 0 } }));
    expectRefusal(refused, 422, "validation_failed", { active: [expect.any(String)] });
    expect((await api.call("PATCH", path, { headers, body: { active: 1 } })).status).toBe(200);
  });

  test("a plan's limits are 403 and say which plan is needed", async () => {
    await using small = await createWorkspace(demo.system, "free");
    const { data } = await small.api.post("/surveys", { name: "Small" });
    const questions = Array.from({ length: 11 }, (_, index) => ({ type: "yes_no", text: `Question ${index}?` }));
    await withoutTrace(databases, async () => {
      const tooMany = await small.api.call("POST", `/surveys/${data.id}/questions`, { body: { questions } });
      expectRefusal(tooMany, 403, "quota_exceeded", { limit: 10, requested: 11, required_plan: "starter" });
      const settings = { privacy: { anonymity: "full" } };
      const locked = await small.api.call("PATCH", `/surveys/${data.id}`, {
        headers: { "if-match": "*" },
        body: { settings },
      });
      expectRefusal(locked, 403, "feature_locked");
      expect(locked.raw).toContain("enterprise");
      for (const [method, path] of [
        ["POST", "/event-subscriptions"],
        ["GET", "/events"],
      ] as const) {
        const answer = await small.api.call(method, path, method === "POST" ? { body: { name: "Feed" } } : {});
        expectRefusal(answer, 403, "feature_locked");
        expect(answer.raw).toContain("professional");
      }
    });
    expect((await small.api.get("/event-subscriptions")).data).toEqual([]);
  });

  test.each([
    "http://example.org/hook",
    "https://user:password@example.org/hook",
    "https://10.0.0.1/hook",
    "https://[::1]/hook",
    "https://169.254.169.254/latest",
    "https://no-such-host.invalid/hook",
    "ftp://example.org",
    "nonsense",
    `https://example.org/${"x".repeat(2048)}`,
  ])("a webhook may not be sent to %s", async (url) => {
    const body = { name: "Hook", url };
    const answer = await withoutTrace(databases, () => api.call("POST", "/event-subscriptions", { body }));
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
      status: 422,
      code: "validation_failed",
    });
    expect(Object.keys(answer.body.error!.details)).toEqual(["url"]);
  });
});

describe("many at once", () => {
  test("50 creations with one key make one survey, and all get its answer", async () => {
    const before = await databases.countRows();
    const call = () =>
      api.call("POST", "/surveys", { body: { name: "Once" }, headers: { "idempotency-key": "fifty-at-once" } });
    const answers = await Promise.all(Array.from({ length: 50 }, call));
    const first = answers.filter(({ status }) => status === 201);
    expect(first.length).toBeGreaterThan(0);
    expect(new Set(first.map(({ raw }) => raw)).size).toBe(1);
    for (const answer of answers) {
      if (answer.status !== 201) expectRefusal(answer, 409, "idempotency_in_progress");
    }
    const after = await databases.countRows();
    expect(after["survey.surveys"]! - before["survey.surveys"]!).toBe(1);
    expect(after["survey.idempotency_records"]! - before["survey.idempotency_records"]!).toBe(1);
    expect((await call()).raw).toBe(first[0]!.raw);
  });

  test("50 completions of one respondent complete it once", async () => {
    const respondentId = await startRespondent(api, survey);
    const path = `/response/surveys/${survey.surveyId}`;
    const before = (await api.get(`${path}/aggregation`)).data.respondentStats.totalCompleted;
    const call = () => api.call("POST", path, { body: completion(survey, respondentId) });
    const statuses = (await Promise.all(Array.from({ length: 50 }, call))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([200, 422]));
    expect((await api.get(`${path}/aggregation`)).data.respondentStats.totalCompleted).toBe(before + 1);
  });
});

describe("addresses", () => {
  test.each(["/nothing", "/surveys/aaaaaaaaaaaaaaaa/nothing", "/", "/surveys/../../etc/passwd", "/%2e%2e/x", "/%ff"])(
    "%s is 404 without a token",
    async (path) => {
      expectRefusal(await api.call("GET", path, { headers: { authorization: "" } }), 404, "route_not_found", {});
    },
  );

  test("take only their methods, and say which", async () => {
    for (const [method, path, allowed] of [
      ["DELETE", "/surveys", ["GET", "POST"]],
      ["PUT", `/surveys/${survey.surveyId}`, ["GET", "PATCH"]],
      ["POST", "/health", ["GET"]],
      ["PATCH", "/events", ["GET"]],
    ] as const) {
      const answer = await api.call(method, path, { headers: { authorization: "" } });
      expectRefusal(answer, 405, "method_not_allowed", {});
      expect(answer.headers.get("allow")!.split(", ").sort()).toEqual(expect.arrayContaining([...allowed]));
    }
  });

  test("without the id they need are 400", async () => {
    for (const path of ["/surveys/", "/tokens/", "/event-subscriptions/", "/response/surveys//aggregation"]) {
      expectRefusal(await api.call("GET", path), 400, "invalid_request");
    }
  });

  test("outside the API are no leak either", async () => {
    const answer = await fetch(`${demo.system.local.publicUrl}/nothing`);
    expect(answer.status).toBe(404);
    expectNoLeak(await answer.text());
  });

  test("keep a well-formed request id, and replace any other", async () => {
    const withId = (id: string) => api.call("GET", "/surveys", { headers: { "x-request-id": id } });
    expect((await withId("my-request-7")).headers.get("x-request-id")).toBe("my-request-7");
    for (const id of ["has space", "x".repeat(129), "ü"]) {
      expect((await withId(id)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe("documents", () => {
  test("health, errors and OpenAPI are what they say", async () => {
    const health = await api.call("GET", "/health", { headers: { authorization: "" } });
    expect(health.status).toBe(200);
    const names = ["token", "survey", "response", "distribution", "webhook", "delivery", "database", "broker"];
    expect(health.data).toEqual({ status: "ok", checks: Object.fromEntries(names.map((name) => [name, "ok"])) });

    const errors = await api.get("/errors");
    expect(errors.data).toContainEqual({
      code: "survey_not_found",
      status: 404,
      message: expect.any(String),
      suggestion: expect.any(String),
      retryable: false,
    });
    const document = await api.call("GET", "/openapi.json", { headers: { authorization: "" } });
    expect(document.body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), paths: expect.any(Object) });
    const again = await api.call("GET", "/openapi.json", {
      headers: { "if-none-match": document.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
  });
});
