import { fromBinary } from "@bufbuild/protobuf";
import { EventSchema, type AuditRecorded } from "@canvass/proto/events";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  idempotent,
  question,
  refusal,
  signedPerson,
  startSurveyFixture,
  type SurveyFixture,
} from "./survey-fixture.ts";

let fixture: SurveyFixture;
beforeAll(async () => {
  fixture = await startSurveyFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** What the outbox holds for the audit log; nobody takes it here. */
async function auditOf(surveyId: string): Promise<AuditRecorded[]> {
  const rows = await fixture.sql<{ payload: Uint8Array }>(
    "SELECT payload FROM outbox_events WHERE type = 'audit.recorded' ORDER BY event_id",
  );
  return rows
    .map(({ payload }) => fromBinary(EventSchema, new Uint8Array(payload)))
    .flatMap(({ body }) => (body.case === "auditRecorded" && body.value.resourceId === surveyId ? [body.value] : []));
}

const context = () => ({ signedCaller: signedPerson(), requestId: "r-1", clientAddress: "192.0.2.7" });

test("creating, changing, adding questions and publishing each tell the audit log, with what was and what is", async () => {
  const { surveyId, etag } = await fixture.create({ name: "First" }, context());
  await fixture.patch(surveyId, etag, { name: "Second", settings: { access: { password: "sesame" } } }, context());
  await fixture.add(surveyId, { questions: [question("How are you? ".repeat(20))] }, context());
  await fixture.patch(surveyId, "*", { settings: { access: { password: "open up" } } }, context());
  const { versionId } = await fixture.publish(surveyId, "*", context());
  const entries = await auditOf(surveyId);
  expect(entries.map(({ action }) => action)).toEqual([
    "survey.created",
    "survey.updated",
    "survey.questions_added",
    "survey.updated",
    "survey.published",
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ personId: "person0000000001", requestId: "r-1", clientAddress: "192.0.2.7" });
  }
  const [created, updated, added, changed, published] = entries.map(({ beforeJson, afterJson }) => ({
    before: beforeJson && (JSON.parse(beforeJson) as object),
    after: afterJson && (JSON.parse(afterJson) as object),
  }));
  expect(created).toMatchObject({
    before: "",
    after: { name: "First", language: "en", settings: {}, questionCount: 0 },
  });
  expect(updated!.before).toEqual({ name: "First", settings: {} });
  expect(updated!.after).toMatchObject({ name: "Second", settings: { access: { password: "set" } } });
  expect(added).toMatchObject({ before: "", after: { questions: [{ type: "short_text" }] } });
  expect((added!.after as { questions: { text: string }[] }).questions[0]!.text).toHaveLength(100);
  expect(changed).toEqual({
    before: { settings: { access: { password: "set" } } },
    after: { settings: { access: { password: "changed" } } },
  });
  expect(published).toEqual({
    before: { version: null },
    after: { version: 1, versionId, note: "", questionCount: 1 },
  });
  expect(JSON.stringify(entries)).not.toMatch(/sesame|open up|scrypt/);
});

test("a refused change and a repeated one leave no further entry", async () => {
  const body = { name: "Once" };
  const { context: once } = idempotent("audit-key", body);
  const { surveyId } = await fixture.create(body, once);
  expect((await fixture.create(body, once)).surveyId).toBe(surveyId);
  await refusal(fixture.patch(surveyId, '"stale"', { name: "x" }));
  await refusal(fixture.patch(surveyId, "*", { name: "" }));
  await refusal(fixture.publish(surveyId));
  expect((await auditOf(surveyId)).map(({ action }) => action)).toEqual(["survey.created"]);
});
