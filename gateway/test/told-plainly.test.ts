import { timestampNow } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { someSurvey, surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const post = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") => ({
  method: "POST",
  body,
  headers: { "content-type": type },
});

const all = { from: null, to: null, elementIds: null, distributorIds: null };
const optionsJson = JSON.stringify({
  format: "csv",
  labels: "labels",
  includePartial: false,
  includeTest: false,
  timeZone: "UTC",
  ...all,
});

test("the response has the URL of a created resource, and of the state of a queued one", async () => {
  await using edge = await startEdge({
    survey: { createSurvey: async () => ({ survey: someSurvey(), questionsJson: "[]" }) },
    exports: {
      createExport: async () => ({
        export: { exportId: "export0000000000", surveyId, status: "queued", optionsJson, createdAt: timestampNow() },
      }),
    },
  });
  const made = await edge.call("/surveys", post('{"name":"x"}'));
  expect([made.status, made.headers.get("location")]).toEqual([201, `/api/v1/surveys/${surveyId}`]);
  const queued = await edge.call(`/exports/surveys/${surveyId}`, post('{"format":"csv"}'));
  expect([queued.status, queued.headers.get("location")]).toEqual([202, "/api/v1/exports/export0000000000"]);
});

test("a refused media type or charset comes with those that are taken", async () => {
  await using edge = await startEdge();
  const refused = async (path: string, type: string, method = "POST") => {
    const { status, headers } = await edge.call(path, { ...post("{}", type), method });
    return [status, headers.get("accept-post") ?? headers.get("accept-patch")];
  };
  expect(await refused("/surveys", "text/plain")).toEqual([415, "application/json"]);
  expect(await refused("/surveys", "application/json; charset=iso-8859-1")).toEqual([415, "application/json"]);
  expect(await refused(`/surveys/${surveyId}`, "text/plain", "PATCH")).toEqual([415, "application/json"]);
  expect(await refused("/contacts/imports", "text/plain")).toEqual([415, "application/json, text/csv"]);
  expect(await refused("/contacts/imports", "text/csv; charset=klingon")).toEqual([415, "application/json, text/csv"]);
  expect(await refused("/contacts/imports", "text/csv; header=absent")).toEqual([415, "application/json, text/csv"]);
  expect(await refused("/contacts/imports/csv", "application/json")).toEqual([415, "text/csv"]);
  expect(await refused("/files", "application/json")).toEqual([415, "multipart/form-data"]);
});

test("malformed JSON and invalid UTF-8 are located, and the charset UTF-8 is accepted", async () => {
  await using edge = await startEdge({
    survey: { createSurvey: async () => ({ survey: someSurvey(), questionsJson: "[]" }) },
  });
  const malformed = await edge.call("/surveys", post('{"name": "x",\n "é": nope}'));
  expect([malformed.status, malformed.body.error.code]).toEqual([400, "malformed_json"]);
  expect(malformed.body.error.details).toEqual({ body: ["stops being JSON at line 2, column 7"] });
  const bytes = Uint8Array.from(Buffer.from('{"name":"\xe9"}', "latin1"));
  const other = await edge.call("/surveys", post(bytes));
  expect(other.body.error).toMatchObject({
    code: "malformed_json",
    message: "The body is not UTF-8.",
    details: { body: ["must be UTF-8: byte 10 begins no character"] },
  });
  expect((await edge.call("/surveys", post('{"name":"é"}', "application/json; charset=UTF-8"))).status).toBe(201);
});

test("the plus of an offset that became a blank is understood", async () => {
  const asked: object[] = [];
  await using edge = await startEdge({
    contact: {
      listContacts: async (request) => {
        asked.push(request);
        return { contacts: [], nextCursor: "", hasMore: false };
      },
    },
  });
  for (const offset of ["+02:00", " 02:00", "%2B02:00"]) {
    expect((await edge.call(`/contacts?from=2026-01-31T09:00:00${offset}`)).status).toBe(200);
  }
  expect(asked).toEqual([asked[0], asked[0], asked[0]]);
  expect((await edge.call("/contacts?from=2026-01-31 09:00:00Z")).status).toBe(422);
});
