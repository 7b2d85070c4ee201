import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ListAnswersRequest, ListRespondentsRequest, StreamAnswersRequest } from "@canvass/proto/response";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const respondentId = "respondent000000";
const submittedAt = timestampFromDate(new Date("2026-01-01T00:00:00.250Z"));
const path = `/response/surveys/${surveyId}`;
const rows = { accept: "application/x-ndjson" };

const rating = {
  answerId: "answer0000000001",
  respondentId,
  elementId: "element000000000",
  questionId: "question00000000",
  typeName: "rating",
  valueJson: "4",
  versionNumber: 2,
  submittedAt,
};
const matrix = {
  ...rating,
  answerId: "answer0000000002",
  itemId: "choice0000000000",
  typeName: "dropdown_matrix",
  valueJson: '{"r":{"c":""}}',
  valueLabelsJson: '{"r":{"c":"(None)"}}',
  metaJson: '{"took":3}',
  isTest: true,
};
const shownRating = {
  id: "answer0000000001",
  surveyId,
  respondentId,
  elementId: "element000000000",
  itemId: null,
  questionId: "question00000000",
  type: "rating",
  value: 4,
  versionNumber: 2,
  isTest: false,
  submittedAt: "2026-01-01T00:00:00.250Z",
  meta: null,
};
const shownMatrix = {
  ...shownRating,
  id: "answer0000000002",
  itemId: "choice0000000000",
  type: "dropdown_matrix",
  value: { r: { c: "" } },
  valueLabels: { r: { c: "(None)" } },
  isTest: true,
  meta: { took: 3 },
};

/** A gateway before a response service that lists these two, and what it was asked. */
async function startListing() {
  const asked: (ListAnswersRequest | StreamAnswersRequest)[] = [];
  const edge = await startEdge({
    response: {
      listAnswers: async (request) => {
        asked.push(request);
        const end = { answers: [rating, matrix], nextCursor: "next", hasMore: true };
        return request.cursor === undefined ? { ...end, total: 101n, totalIsExact: true } : end;
      },
      async *streamAnswers(request) {
        asked.push(request);
        yield {};
        yield { answers: [{ ...rating, cursor: "one" }] };
        yield { answers: [{ ...matrix, cursor: "two" }] };
      },
    },
  });
  return { edge, asked };
}

test("answers are paged by cursor from `paging=cursor` on, with an empty cursor too, else by number", async () => {
  const { edge, asked } = await startListing();
  await using _ = edge;
  const numbered = await edge.call(`${path}?page=2&limit=50`);
  expect([numbered.status, numbered.body.data]).toEqual([200, [shownRating, shownMatrix]]);
  const counted = { total: 101, totalIsExact: true, page: 2, limit: 50, totalPages: 3 };
  expect(numbered.body.pagination).toEqual({ ...counted, cursor_next: "next", hasMore: true });
  for (const query of ["paging=cursor", "paging=cursor&cursor=abc", "cursor=abc", "cursor="]) {
    const { body } = await edge.call(`${path}?${query}`);
    expect(body.pagination).toEqual({ cursor_next: "next", hasMore: true });
  }
  expect(asked).toMatchObject([
    { filter: { surveyId }, limit: 50, page: 2 },
    { limit: 50, cursor: "" },
    { limit: 50, cursor: "abc" },
    { limit: 50, cursor: "abc" },
    { limit: 50, cursor: "" },
  ]);
});

test("filters reach the service with their meaning", async () => {
  const { edge, asked } = await startListing();
  await using _ = edge;
  const filters = `respondentId=${respondentId}&elementId=element000000000:choice0000000000&completed=false`;
  await edge.call(`${path}?${filters}&from=2026-01-01T01:00:00%2B01:00&to=2026-01-02T00:00:00Z`);
  const { filter } = asked[0]!;
  expect(filter).toMatchObject({
    respondentId,
    elementId: "element000000000:choice0000000000",
    completed: false,
  });
  expect([filter!.from, filter!.to].map((time) => timestampDate(time!).toISOString())).toEqual([
    "2026-01-01T00:00:00.000Z",
    "2026-01-02T00:00:00.000Z",
  ]);
});

test("rows are streamed, each with its cursor, also at the list's address to who prefers them", async () => {
  const { edge, asked } = await startListing();
  await using _ = edge;
  const streams = [
    await edge.call(`${path}/stream?cursor=abc&completed=true`),
    await edge.call(`${path}?cursor=abc&completed=true`, { headers: rows }),
  ];
  for (const { status, headers, text } of streams) {
    expect([status, headers.get("content-type"), headers.get("vary")]).toEqual([200, rows.accept, "accept"]);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { ...shownRating, cursor: "one" },
      { ...shownMatrix, cursor: "two" },
    ]);
  }
  const row = { filter: { surveyId, completed: true }, cursor: "abc" };
  expect(asked).toMatchObject([row, row]);
  for (const [accept, isRows] of [
    ["*/*", false],
    ["application/json, application/x-ndjson;q=0.5", false],
    ["application/json;q=0.1, application/x-ndjson", true],
    ["text/html", false],
    ["application/x-ndjson;q=0", false],
    ["application/*", false],
    ["\u{e9}\u{e9};;;=", false],
  ] as const) {
    const { headers: answered } = await edge.call(path, { headers: { accept } });
    expect([accept, answered.get("content-type") === rows.accept]).toEqual([accept, isRows]);
  }
});

test("a query of the wrong shape is refused for lists and for rows", async () => {
  const { edge, asked } = await startListing();
  await using _ = edge;
  for (const headers of [{}, rows]) {
    const { status, body } = await edge.call(`${path}?page=0&limit=101&completed=maybe&from=yesterday&x=1`, {
      headers,
    });
    expect([status, Object.keys(body.error.details).sort()]).toEqual([
      422,
      ["completed", "from", "limit", "page", "x"],
    ]);
  }
  expect(asked).toEqual([]);
});

test("respondents are listed by cursor, with their answers if they are asked for", async () => {
  const asked: ListRespondentsRequest[] = [];
  const respondent = { respondentId, surveyId, status: "completed", startedAt: submittedAt, answers: [rating] };
  await using edge = await startEdge({
    response: {
      listRespondents: async (request) => {
        asked.push(request);
        return { respondents: [{ ...respondent, contactId: "c", metadataJson: '{"table":12}' }], nextCursor: "next" };
      },
    },
  });
  const alone = await edge.call(
    `${path}/respondents?status=completed&limit=1&distributorId=distributor00000&cursor=abc`,
  );
  expect(alone.body.data).toMatchObject([
    { respondentId, contactId: "c", distributorId: null, metadata: { table: 12 } },
  ]);
  expect(alone.body.data[0].answers).toBeUndefined();
  expect(alone.body.pagination).toEqual({ cursor_next: "next", hasMore: false });
  const answered = await edge.call(`${path}/respondents?include=answers&completed=false`);
  expect(answered.body.data[0].answers).toEqual([shownRating]);
  expect(asked).toMatchObject([
    { surveyId, status: "completed", limit: 1, cursor: "abc", distributorId: "distributor00000", withAnswers: false },
    { limit: 50, cursor: "", completed: false, withAnswers: true },
  ]);
});

test.each<[string, object, string, string[]]>([
  ["cursor=&page=1", {}, "with `cursor`", ["page"]],
  ["page=2&cursor=x&limit=5", {}, "with `cursor`", ["page"]],
  ["paging=cursor&page=1", {}, "with `paging`", ["page"]],
  ["limit=5&page=2", rows, "on NDJSON", ["limit", "page"]],
  ["paging=cursor", rows, "on NDJSON", ["paging"]],
])("parameters without effect are refused: %s %o", async (query, headers, where, names) => {
  const { edge, asked } = await startListing();
  await using _ = edge;
  const { status, body } = await edge.call(`${path}?${query}`, { headers });
  expect([status, body.error.code]).toEqual([422, "validation_failed"]);
  expect(body.error.details).toEqual(
    Object.fromEntries(names.map((name) => [name, [`has no effect ${where}; leave it out`]])),
  );
  expect(asked).toEqual([]);
});
