import { AppError } from "@canvass/errors";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ListSurveysRequest, SurveyRef, UpdateSurveyRequest } from "@canvass/proto/survey";
import type { PublishSurveyRequest } from "@canvass/proto/survey-drafts";
import type { AddQuestionsRequest, ElementPageRef } from "@canvass/proto/survey-elements";
import { expect, test } from "vitest";
import { someSurvey, surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

test("equal reads of one turn are asked once, and each gets its answer", async () => {
  const batches: SurveyRef[][] = [];
  await using edge = await startEdge({
    survey: {
      batchGetSurveys: async ({ surveys }) => {
        batches.push(surveys);
        return {
          results: surveys.map(({ surveyId: id }) => ({
            outcome: { case: "survey" as const, value: someSurvey({ surveyId: id }) },
          })),
        };
      },
    },
  });
  await edge.call("/errors");
  const ids = Array.from({ length: 60 }, (_, index) => `survey000000000${index % 3}`);
  const answers = await Promise.all(ids.map((id) => edge.call(`/surveys/${id}`)));
  expect(answers.map(({ body }) => body.data.id)).toEqual(ids);
  for (const batch of batches) expect(new Set(batch.map(({ surveyId: id }) => id)).size).toBe(batch.length);
  expect(batches.length).toBeLessThan(60);
});

test("an unchanged survey is not sent again by the service, and reads the same", async () => {
  const asked: string[] = [];
  let state = "1";
  await using edge = await startEdge({
    survey: {
      batchGetSurveys: async ({ surveys }) => ({
        results: surveys.map(({ heldState }) => {
          asked.push(heldState);
          if (state !== "" && heldState === state) return { unchanged: true };
          const value = someSurvey({ name: `In ${state}`, etag: `"${state}"` });
          return { outcome: { case: "survey" as const, value }, state };
        }),
      }),
    },
  });
  const read = async () => {
    const { body, headers } = await edge.call(`/surveys/${surveyId}`);
    return [body.data.name, body.meta.etag, headers.get("etag")];
  };
  for (const now of ["1", "1", "2", "2", "", ""]) {
    state = now;
    expect(await read()).toEqual([`In ${now}`, `"${now}"`, `"${now}"`]);
  }
  // A service of an older release names no state: the last one that was named is asked for, and answered in full.
  expect(asked).toEqual(["", "1", "1", "2", "2", "2"]);
});

test("the list forwards its filters and returns the next cursor", async () => {
  const asked: ListSurveysRequest[] = [];
  await using edge = await startEdge({
    survey: {
      listSurveys: async (request) => {
        asked.push(request);
        return request.includeTotal
          ? { surveys: [someSurvey()], nextCursor: "next", hasMore: true, total: 41n }
          : { surveys: [] };
      },
    },
  });
  const first = await edge.call("/surveys?limit=1&active=1&q=big&sort=-name&includeTotal=true&cursor=");
  expect(first.body.data).toHaveLength(1);
  expect(first.body.pagination).toEqual({ cursor_next: "next", hasMore: true, total: 41 });
  const last = await edge.call("/surveys?cursor=abc&active=0");
  expect(last.body.pagination).toEqual({ cursor_next: null, hasMore: false });
  await edge.call("/surveys");
  expect(asked).toMatchObject([
    { limit: 1, active: true, query: "big", sort: "-name", includeTotal: true, cursor: "" },
    { limit: 50, active: false, query: "", sort: "-createdAt", includeTotal: false, cursor: "abc" },
    {},
  ]);
  expect(asked[2]!.active).toBeUndefined();
});

test.each([
  ["/surveys?limit=0", "limit"],
  ["/surveys?limit=101", "limit"],
  ["/surveys?limit=ten", "limit"],
  ["/surveys?limit=1.5", "limit"],
  ["/surveys?limit=", "limit"],
  ["/surveys?limit=1&limit=2", "limit"],
  ["/surveys?active=2", "active"],
  ["/surveys?active=true", "active"],
  ["/surveys?sort=size", "sort"],
  ["/surveys?includeTotal=1", "includeTotal"],
  ["/surveys?__proto__=1", "__proto__"],
  ["/surveys?colour=red", "colour"],
  [`/surveys/${surveyId}/elements?page=0`, "page"],
  [`/surveys/${surveyId}/elements?page=-1`, "page"],
  [`/surveys/${surveyId}/elements?cursor=x&page=1`, "page"],
])("a parameter that is wrong is named: %s", async (path, parameter) => {
  await using edge = await startEdge();
  const { status, body } = await edge.call(path);
  expect([status, body.error.code]).toEqual([422, "validation_failed"]);
  expect(Object.keys(body.error.details)).toEqual([parameter]);
});

test("elements are shown page by page", async () => {
  const asked: ElementPageRef[] = [];
  const value = {
    elementsJson: '[{"id":"element000000000","sortOrder":3}]',
    total: 21,
    nextCursor: "next",
    hasMore: true,
  };
  await using edge = await startEdge({
    survey: {
      batchListElements: async ({ pages }) => {
        asked.push(...pages);
        return {
          results: pages.map(() => ({ outcome: { case: "page" as const, value } })),
        };
      },
    },
  });
  const { body } = await edge.call(`/surveys/${surveyId}/elements?limit=10&page=2`);
  expect(body.data).toEqual([{ id: "element000000000", sortOrder: 3 }]);
  expect(body.pagination).toEqual({
    total: 21,
    page: 2,
    limit: 10,
    totalPages: 3,
    hasMore: true,
    cursor_next: "next",
  });
  const last = await edge.call(`/surveys/${surveyId}/elements?limit=10&page=3`);
  expect(last.body.pagination.hasMore).toBe(false);
  const after = await edge.call(`/surveys/${surveyId}/elements?limit=10&cursor=abc`);
  expect(after.body.pagination).toEqual({ cursor_next: "next", hasMore: true });
  const first = await edge.call(`/surveys/${surveyId}/elements`);
  expect(first.body.pagination).toMatchObject({ total: 21, page: 1, limit: 50, cursor_next: "next" });
  expect(asked.map(({ limit, page, cursor }) => [limit, page, cursor])).toEqual([
    [10, 2, undefined],
    [10, 3, undefined],
    [10, 1, "abc"],
    [50, 1, undefined],
  ]);
});

test("a patch goes to the service as it came, with its entity tags", async () => {
  const asked: UpdateSurveyRequest[] = [];
  await using edge = await startEdge({
    survey: {
      updateSurvey: async (request) => {
        asked.push(request);
        return { survey: someSurvey({ etag: '"new"' }) };
      },
    },
  });
  const body = '{ "settings": {"display": {"nonsense": 1e400}},\n "unknown": [] }';
  for (const tags of ["*", '"a", W/"b" ,"c,d"']) {
    const answer = await edge.call(`/surveys/${surveyId}`, { method: "PATCH", body, headers: { "if-match": tags } });
    expect(answer.status).toBe(200);
    expect([answer.headers.get("etag"), answer.body.meta.etag]).toEqual(['"new"', '"new"']);
  }
  expect(asked.map(({ ifMatch }) => ifMatch)).toEqual([["*"], ['"a"', 'W/"b"', '"c,d"']]);
  expect(asked[0]).toMatchObject({ surveyId, bodyJson: body });
});

test("an invalid entity tag is a violation, and one that was changed in transit is recognized", async () => {
  await using edge = await startEdge({
    survey: {
      updateSurvey: async () => {
        throw new AppError("precondition_failed");
      },
    },
  });
  const patch = async (tags: string, path = `/surveys/${surveyId}`, method = "PATCH") => {
    const { body } = await edge.call(path, { method, body: '{"name":"x"}', headers: { "if-match": tags } });
    return body.error;
  };
  for (const tags of ["unquoted", "0123456789abcdef", '"a" b', '*, "a"', "*, *", "''", ","]) {
    expect(await patch(tags)).toMatchObject({
      code: "validation_failed",
      details: { "If-Match": [expect.any(String)] },
    });
  }
  const stale = await patch('"0123456789abcdef"');
  expect(stale).toMatchObject({ code: "precondition_failed", details: {} });
  expect(stale.message).toContain("has changed");
  for (const [tags, words] of [
    ['W/"0123456789abcdef"', "weak"],
    ['"0123456789abcdef-gzip"', "no tag of this API"],
    ['"0123456789abcdef;br", W/"0123456789abcdef"', "no tag of this API"],
  ] as const) {
    const { code, details } = await patch(tags);
    expect([code, details["If-Match"]]).toEqual(["precondition_failed", [expect.stringContaining(words)]]);
    expect(details["If-Match"][0]).toContain("meta.etag");
  }
});

test("a byte order mark is no part of the document", async () => {
  const asked: AddQuestionsRequest[] = [];
  await using edge = await startEdge({
    survey: {
      addQuestions: async (request) => {
        asked.push(request);
        return { questionsJson: "[]" };
      },
    },
  });
  await edge.call(`/surveys/${surveyId}/questions`, { method: "POST", body: '\uFEFF{"questions":[]}' });
  expect(asked[0]!.bodyJson).toBe('{"questions":[]}');
});

test("questions that were created or added are answered as the service renders them", async () => {
  const questionsJson = '[{"elementId":"e1","choices":[{"id":"c1","text":"A"}]}]';
  const survey = someSurvey({ surveyId });
  await using edge = await startEdge({
    survey: { addQuestions: async () => ({ questionsJson }), createSurvey: async () => ({ survey, questionsJson }) },
  });
  const added = await edge.call(`/surveys/${surveyId}/questions`, { method: "POST", body: "{}" });
  expect(added).toMatchObject({ status: 201, body: { data: JSON.parse(questionsJson) } });
  const created = await edge.call("/surveys", { method: "POST", body: '{"name":"New"}' });
  expect(created).toMatchObject({
    status: 201,
    body: { data: { id: surveyId, questions: JSON.parse(questionsJson) } },
  });
});

test("publishing needs no body, and its answer has the survey's etag", async () => {
  const asked: PublishSurveyRequest[] = [];
  await using edge = await startEdge({
    survey: {
      publishSurvey: async (request) => {
        asked.push(request);
        const publishedAt = timestampFromDate(new Date("2026-01-01T00:00:00Z"));
        return { versionId: "version000000000", versionNumber: 3, publishedAt, etag: '"after"' };
      },
    },
  });
  const publish = (body?: string) =>
    edge.call(`/surveys/${surveyId}/publish`, { method: "POST", headers: { "if-match": "*" }, ...(body && { body }) });
  const { status, body, headers } = await publish();
  expect(status).toBe(200);
  expect(body.data).toEqual({
    versionId: "version000000000",
    versionNumber: 3,
    publishedAt: "2026-01-01T00:00:00.000Z",
  });
  expect(headers.get("etag")).toBe('"after"');
  const noted = '{"note":"v3","acknowledge":["c1"]}';
  await publish(noted);
  expect(asked).toMatchObject([
    { surveyId, ifMatch: ["*"], bodyJson: "{}" },
    { surveyId, bodyJson: noted },
  ]);
});
