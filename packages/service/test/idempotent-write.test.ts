import type { Replay } from "@canvass/proto/rpc";
import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { codeOf, idempotency, signedPerson } from "../test-kit/index.ts";
import { startNotes } from "./note-service.ts";

let service: Awaited<ReturnType<typeof startNotes>>;
beforeAll(async () => void (service = await startNotes({ purges: [] })));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.pool.query("TRUNCATE notes, idempotency_records, outbox_events"));

async function create(bodyJson: string, key: string, requestId: string): Promise<Replay[]> {
  const replays: Replay[] = [];
  const answeredAt = service.clock.now();
  const named = idempotency(key, bodyJson, { requestId, answeredAt });
  const options = callOptions({
    signedCaller: signedPerson(),
    idempotency: named,
    onReplay: (replay) => replays.push(replay),
  });
  expect(await service.notes.createSurvey({ bodyJson }, options)).toMatchObject({ survey: { surveyId: bodyJson } });
  return replays;
}

const count = async () => {
  const [row] = await service.sql(`SELECT (SELECT count(*)::int FROM notes) AS notes,
    (SELECT count(*)::int FROM idempotency_records) AS records, (SELECT count(*)::int FROM outbox_events) AS events`);
  return row;
};

test("a repeated call gets the first answer and writes nothing", async () => {
  expect(await create("once", "key", "first")).toEqual([]);
  expect(await create("once", "key", "second")).toMatchObject([{ requestId: "first" }]);
  expect(await count()).toEqual({ notes: 1, records: 1, events: 1 });
});

test("of many concurrent writes one runs; the others repeat its answer or are refused as in progress", async () => {
  const codes = await Promise.all(Array.from({ length: 8 }, (_, index) => codeOf(create("race", "key", `r${index}`))));
  expect(codes).toContain("fine");
  expect(codes.filter((code) => code !== "fine" && code !== "idempotency_in_progress")).toEqual([]);
  expect(await count()).toEqual({ notes: 1, records: 1, events: 1 });
});

test("another body under the same key is refused", async () => {
  await create("a", "key", "first");
  expect(await codeOf(create("b", "key", "second"))).toBe("idempotency_key_reused");
  expect(await count()).toEqual({ notes: 1, records: 1, events: 1 });
});

test("a write that fails leaves neither rows nor events nor a record, and its key works afterwards", async () => {
  await service.sql("ALTER TABLE outbox_events ADD CONSTRAINT refuse CHECK (false) NOT VALID");
  expect(await codeOf(create("a", "key", "first"))).toBe("internal_error");
  await service.sql("ALTER TABLE outbox_events DROP CONSTRAINT refuse");
  expect(await count()).toEqual({ notes: 0, records: 0, events: 0 });
  expect(await create("a", "key", "second")).toEqual([]);
  expect(await count()).toEqual({ notes: 1, records: 1, events: 1 });
});

test("without a key every call writes", async () => {
  const options = callOptions({ signedCaller: signedPerson() });
  await service.notes.createSurvey({ bodyJson: "a" }, options);
  await service.notes.createSurvey({ bodyJson: "b" }, options);
  expect(await count()).toEqual({ notes: 2, records: 0, events: 2 });
});
