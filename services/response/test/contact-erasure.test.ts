import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AppError } from "@canvass/errors";
import { EventSchema } from "@canvass/proto/events";
import { LinkResponseService } from "@canvass/proto/response-links";
import type { Question } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startExportHarness } from "./export-harness.ts";
import { ratingQuestion, surveyId, testId, workspaceId } from "./harness.ts";

const contactId = testId("contact1");
const shown = { show: true, required: false };
const hidden = { show: false, required: false };

const personQuestion: Question = {
  ...ratingQuestion("person"),
  type: 18,
  typeSettings: {
    parts: {
      firstName: shown,
      lastName: shown,
      email: shown,
      phone: shown,
      company: hidden,
      addressLine1: hidden,
      addressLine2: hidden,
      city: hidden,
      region: hidden,
      postalCode: hidden,
      country: hidden,
    },
  },
  responseValidation: { required: true },
};

const anonymized = create(EventSchema, {
  eventId: "event00000000001",
  workspaceId,
  occurredAt: timestampFromDate(new Date("2026-03-01T12:00:00Z")),
  source: "distribution",
  body: { case: "contactAnonymized", value: { contactId } },
});

const traces = /zebradina|quagga@example/i;

test("answers about an anonymized contact leave tables, files and results, and nothing else does", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a", true), personQuestion]]);
  const { sql } = harness;
  harness.survey.versions.get(1)!.fields = [{ name: "who", type: "text" }];
  const options = callOptions({ signedCaller: harness.signed() });
  const person = { firstName: "Zebradina", email: "quagga@example.org" };
  const answer = async (given: object, contact?: string) => {
    const body = contact && { contactId: contact, fields: { who: "Zebradina" } };
    const started = await harness.client.startRespondent({ surveyId, bodyJson: JSON.stringify(body ?? {}) }, options);
    const { respondentId } = started.respondent!;
    const responses = [
      { elementId: testId("a"), value: 4 },
      { elementId: testId("person"), value: given },
    ];
    expect(await harness.submit({ respondentId, responses })).toMatchObject({ code: "submitted" });
    return respondentId;
  };
  const own = await answer(person, contactId);
  await answer(person, contactId);
  await answer({ firstName: "Other", email: "other@example.org" });
  const exportId = await harness.create({});
  await harness.untilEnded(exportId);
  const sums = () =>
    sql(
      `SELECT question_id, sum(responses)::int AS responses, sum(respondents)::int AS respondents FROM question_counters
       GROUP BY question_id ORDER BY question_id`,
    );
  expect(await sums()).toMatchObject([
    { responses: 3, respondents: 3 },
    { responses: 3, respondents: 3 },
  ]);
  expect(await harness.files()).not.toEqual([]);

  expect(await harness.handOver([anonymized], "contact-erasures")).toEqual([anonymized.eventId]);
  await harness.handOver([anonymized], "contact-erasures");
  expect(await sums()).toMatchObject([
    { question_id: testId("qa"), responses: 3, respondents: 3 },
    { question_id: testId("qperson"), responses: 1, respondents: 1 },
  ]);
  const buckets = await sql(
    `SELECT bucket, sum(count)::int AS count FROM bucket_counters WHERE question_id = $1 GROUP BY bucket ORDER BY bucket`,
    [testId("qperson")],
  );
  expect(buckets).toEqual([
    { bucket: "email", count: 1 },
    { bucket: "firstName", count: 1 },
  ]);
  const { respondent } = await harness.client.getRespondent({ surveyId, respondentId: own }, options);
  expect(respondent).toMatchObject({ status: "completed", contactId: "" });
  expect(await sql("SELECT 1 FROM respondents WHERE contact_id <> ''")).toEqual([]);
  const weights = await sql<{ weight: number }>("SELECT answer_weight AS weight FROM respondents ORDER BY 1");
  expect(weights[0]).toEqual(weights[1]);
  expect(weights[1]!.weight).toBeLessThan(weights[2]!.weight);

  for (const { name } of await sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  )) {
    const rows = await sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`);
    expect(`${name}: ${rows.map(({ row }) => row).join("\n")}`).not.toMatch(traces);
  }
  await waitFor(async () => (await harness.files()).length === 0, { describe: "no files" });
  expect((await harness.read(exportId)).status).toBe("expired");

  const events = await sql<{ payload: Buffer }>("SELECT payload FROM outbox_events WHERE type = 'contact.erased'");
  expect(events.map(({ payload }) => fromBinary(EventSchema, payload).body)).toMatchObject([
    { case: "contactErased", value: { contactId, erased: { respondents: 2, answers: 2, exportFiles: 1 } } },
  ]);
});

test("who starts while or after the contact is erased is refused, or erased with it, and its personal link leads nowhere", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  const { addLink, sql } = harness;
  const linkClient = harness.clientOf(LinkResponseService);
  const linkId = (n: number) => testId(`personal${n}x`);
  const start = (n: number) => {
    const code = addLink(`code${n}`, { type: "personal_link", linkId: linkId(n), contactId });
    return linkClient.startLinkRespondent({ code });
  };
  const earlier = await start(0);
  expect(earlier.respondent!.contactId).toBe(contactId);
  const racing = Array.from({ length: 20 }, (_, n) =>
    start(n + 1).then(
      () => "started",
      (error: AppError) => error.code,
    ),
  );
  const [, ...outcomes] = await Promise.all([harness.handOver([anonymized], "contact-erasures"), ...racing]);
  const started = outcomes.filter((outcome) => outcome === "started").length;
  expect(outcomes.filter((outcome) => outcome === "distributor_not_found")).toHaveLength(20 - started);
  // The distribution service of this test still knows the contact.
  expect(await refusal(start(30))).toMatchObject({ code: "distributor_not_found" });
  const options = callOptions({ signedCaller: harness.signed() });
  expect(await refusal(harness.client.startRespondent({ surveyId, contactId }, options))).toMatchObject({
    code: "validation_failed",
    details: { contactId: ["is anonymized"] },
  });
  expect(await sql("SELECT count(*)::int AS started, max(contact_id) AS contact FROM respondents")).toEqual([
    { started: started + 1, contact: "" },
  ]);
  const { uses } = await linkClient.batchGetLinkUses({ workspaceId, linkIds: [linkId(0)] });
  expect(uses[0]).toMatchObject({ respondentId: "" });
});

test("a contact with many respondents is erased in parts; an interrupted erasure resumes, and reports all of them", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  const { sql } = harness;
  const options = callOptions({ signedCaller: harness.signed() });
  const start = () => harness.client.startRespondent({ surveyId, contactId }, options);
  await Promise.all(Array.from({ length: 250 }, start));
  // The last part has a respondent whose row cannot be changed.
  const [last] = await sql<{ id: string }>("SELECT max(respondent_id) AS id FROM respondents");
  await sql(`ALTER TABLE respondents ADD CONSTRAINT fails CHECK (respondent_id <> '${last!.id}') NOT VALID`);
  expect(await harness.handOver([anonymized], "contact-erasures")).toEqual([]);
  const linked = () => sql("SELECT count(*)::int AS linked FROM respondents WHERE contact_id <> ''");
  expect(await linked()).toEqual([{ linked: 50 }]);
  expect(await sql("SELECT 1 FROM outbox_events WHERE type = 'contact.erased'")).toEqual([]);
  await sql("ALTER TABLE respondents DROP CONSTRAINT fails");
  await harness.handOver([anonymized], "contact-erasures");
  expect(await linked()).toEqual([{ linked: 0 }]);
  const events = await sql<{ payload: Buffer }>("SELECT payload FROM outbox_events WHERE type = 'contact.erased'");
  expect(events.map(({ payload }) => fromBinary(EventSchema, payload).body)).toMatchObject([
    { case: "contactErased", value: { contactId, erased: { respondents: 250, answers: 0 } } },
  ]);
});

test("a contact without respondents is reported, too", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await harness.handOver([anonymized], "contact-erasures");
  const events = await harness.sql<{ payload: Buffer }>("SELECT payload FROM outbox_events");
  expect(events.map(({ payload }) => fromBinary(EventSchema, payload).body)).toMatchObject([
    { case: "contactErased", value: { contactId, erased: { respondents: 0, answers: 0, exportFiles: 0 } } },
  ]);
});
