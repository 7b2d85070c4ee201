import { AppError } from "@canvass/errors";
import type { CopySurveyRequest } from "@canvass/proto/survey-documents";
import type { Idempotency } from "@canvass/proto/rpc";
import { bind, type Call } from "@canvass/rpc";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { someSurvey, surveyId, replayMessage, type FakeServices } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const seconds = (step: number) => () => new Date(Date.parse("2026-01-01T00:00:00Z") + (step += 1) * 1_000);

/** Answers a key once, then replays. */
function rememberingServices(): FakeServices & { seen: Idempotency[] } {
  const seen: Idempotency[] = [];
  const first = (idempotency: Idempotency | undefined) => {
    if (!idempotency) return undefined;
    seen.push(idempotency);
    const earlier = seen.find(({ key, scope }) => key === idempotency.key && scope === idempotency.scope)!;
    return earlier === idempotency ? undefined : replayMessage(earlier.requestId, timestampDate(earlier.answeredAt!));
  };
  const remember = (call: Call) => {
    const replay = first(call.idempotency);
    if (replay) call.replayed(replay);
  };
  return {
    seen,
    survey: {
      createSurvey: bind({}, async (_context: object, _request: unknown, call: Call) => {
        remember(call);
        return { survey: someSurvey() };
      }),
    },
    response: {
      batchSubmitAnswers: async ({ submissions }) => ({
        results: submissions.map(({ idempotency }) => {
          const replay = first(idempotency);
          return {
            outcome: {
              case: "submitted" as const,
              value: { respondentId: "respondent000000", respondentStatus: "started" },
            },
            ...(replay && { replay }),
          };
        }),
      }),
    },
  };
}

test.each([
  ["/surveys", 201],
  [`/response/surveys/${surveyId}`, 200],
])("a repetition gets the first answer, byte for byte: %s", async (path, status) => {
  const services = rememberingServices();
  await using edge = await startEdge(services, { now: seconds(0) });
  const body = ' {"name": "Ünï", "responses": []}\n';
  const send = () => edge.call(path, { method: "POST", body, headers: { "idempotency-key": "k/1!" } });
  const first = await send();
  const second = await send();
  expect(first.status).toBe(status);
  expect(second.status).toBe(status);
  expect(second.text).toBe(first.text);
  for (const name of ["x-request-id", "etag", "content-type", "content-length"]) {
    expect(second.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  const [sent, repeated] = services.seen;
  expect(sent!.scope).toMatch(new RegExp(`^token[0-9]{11} POST /api/v1${path}$`));
  expect(sent!.requestId).toBe(first.body.meta.requestId);
  expect(timestampDate(sent!.answeredAt!).toISOString()).toBe(first.body.meta.timestamp);
  expect(Buffer.from(sent!.bodySha256)).toEqual(createHash("sha256").update(body).digest());
  expect(repeated!.requestId).not.toBe(sent!.requestId);
});

test("however a body is compressed, it is the same body", async () => {
  const services = rememberingServices();
  await using edge = await startEdge(services);
  const body = '{"name":"x"}';
  const headers = { "idempotency-key": "k", "content-type": "application/json" };
  await edge.call("/surveys", { method: "POST", body, headers });
  const compressed = { ...headers, "content-encoding": "gzip" };
  await edge.call("/surveys", { method: "POST", body: new Uint8Array(gzipSync(body)), headers: compressed });
  const [plain, inflated] = services.seen.map(({ bodySha256 }) => Buffer.from(bodySha256));
  expect(inflated).toEqual(plain);
});

test("the query and the media type are a part of the request, however they are spelled", async () => {
  const services = rememberingServices();
  await using edge = await startEdge({
    ...services,
    contact: {
      createImport: bind({}, async (_context: object, _request: unknown, { idempotency }: Call) => {
        services.seen.push(idempotency!);
        return { import: { importId: "import0000000000", status: "queued", mode: "upsert", matchOn: "email" } };
      }),
    },
  });
  const digestOf = async (query: string, type: string) => {
    const headers = { "idempotency-key": "k", "content-type": type };
    await edge.call(`/contacts/imports${query}`, { method: "POST", body: '{"rows":[{"email":"a@b.c"}]}', headers });
    return Buffer.from(services.seen.at(-1)!.bodySha256).toString("hex");
  };
  const json = "application/json";
  const different = [
    await digestOf("", json),
    await digestOf("?mode=create", json),
    await digestOf("?mode=upsert", json),
    await digestOf("?mode=create&matchOn=externalId", json),
    await digestOf("", "text/csv"),
    await digestOf("", "text/csv; charset=windows-1250"),
  ];
  expect(new Set(different).size).toBe(different.length);
  const same = [
    await digestOf("?matchOn=externalId&mode=create", json),
    await digestOf("?mode=c%72eate&matchOn=externalId", "Application/JSON; charset=UTF-8"),
  ];
  expect(same).toEqual([different[3], different[3]]);
});

test("however a path is spelled, a repetition finds the same key", async () => {
  const services = rememberingServices();
  await using edge = await startEdge(services);
  const post = (path: string) => edge.call(path, { method: "POST", body: "{}", headers: { "idempotency-key": "k" } });
  for (const path of ["/surveys", "/%73urveys", "/surve%79s"]) await post(path);
  for (const id of [surveyId, `%73${surveyId.slice(1)}`]) await post(`/response/%73urveys/${id}`);
  expect(services.seen.map(({ scope }) => scope.split(" ")[2])).toEqual([
    ...Array<string>(3).fill("/api/v1/surveys"),
    ...Array<string>(2).fill(`/api/v1/response/surveys/${surveyId}`),
  ]);
});

test("without a key nothing is kept and nothing is replayed", async () => {
  const services = rememberingServices();
  await using edge = await startEdge(services);
  const answer = await edge.call("/surveys", { method: "POST", body: "{}" });
  expect(answer.headers.get("idempotent-replayed")).toBeNull();
  expect(services.seen).toEqual([]);
});

test.each(["", "two words", "0123456789abcdef".repeat(8) + "0", "tab\there"])(
  "a malformed key is refused with 422: %j",
  async (key) => {
    await using edge = await startEdge(rememberingServices());
    const answer = await edge.call("/surveys", {
      method: "POST",
      body: '{"name":"x"}',
      headers: { "idempotency-key": key },
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.error.details)).toEqual(["Idempotency-Key"]);
  },
);

test("operations whose answers hold a secret ignore the key", async () => {
  const keys: unknown[] = [];
  const note = async (_context: object, _request: unknown, call: Call) => {
    keys.push(call.idempotency);
    return {
      token: { tokenId: "token00000000000" },
      tokenValue: "v",
      subscription: { subscriptionId: "s" },
      secret: "whsec_x",
    };
  };
  await using edge = await startEdge({
    token: { createToken: bind({}, note), rotateToken: bind({}, note) },
    subscription: { createSubscription: bind({}, note) },
  });
  const headers = { "idempotency-key": "not even a valid one" };
  for (const [path, body] of [
    ["/tokens", '{"name":"x"}'],
    ["/tokens/token00000000000/rotate", undefined],
    ["/event-subscriptions", '{"name":"x"}'],
  ] as const) {
    const { status } = await edge.call(path, { method: "POST", headers, ...(body && { body }) });
    expect(status).toBe(201);
  }
  expect(keys).toEqual([undefined, undefined, undefined]);
});

test("a copy is replayed, and a malformed body refused, before its target workspace is looked at", async () => {
  const asked: CopySurveyRequest[] = [];
  await using edge = await startEdge({
    survey: {
      copySurvey: bind({}, async (_context: object, request: CopySurveyRequest, call: Call) => {
        asked.push(request);
        if (request.bodyJson.includes('"name":5')) throw new AppError("validation_failed", { name: ["must be text"] });
        // As for a key whose first request did take effect.
        if (call.idempotency) call.replayed(replayMessage("first", new Date("2026-01-01T00:00:00Z")));
        else if (request.surveyId === "") throw new AppError("survey_not_found");
        return { survey: someSurvey() };
      }),
    },
  });
  const copy = (body: object, headers = {}) =>
    edge.call(`/surveys/${surveyId}/copy`, { method: "POST", body: JSON.stringify(body), headers });
  const elsewhere = { workspaceId: "workspace0000001" };
  const replayed = await copy(elsewhere, { "idempotency-key": "k" });
  expect([replayed.status, replayed.body.meta?.requestId]).toEqual([201, "first"]);
  expect((await copy({ ...elsewhere, name: 5 })).body.error.code).toBe("validation_failed");
  expect((await copy(elsewhere)).body.error.code).toBe("workspace_not_accessible");
  expect(asked.map(({ surveyId: id, targetCaller }) => [id, targetCaller])).toEqual(asked.map(() => ["", ""]));
});
