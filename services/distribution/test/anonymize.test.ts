import { fromBinary, create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EventSchema } from "@canvass/proto/events";
import { idempotency, refusal } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startContactsSystem, workspaceId } from "./contacts-system.ts";

const system = await sharedByFile(startContactsSystem({ now: () => new Date() }));

const person = {
  email: "Zebra.Quagga@example.org",
  phone: "+4915199887766",
  firstName: "Zebradina",
  lastName: "Quaggason",
  externalId: "crm-okapi-9",
  attributes: { hobby: "Tapirwatching" },
};
const traces = /zebra|quagga|15199887766|okapi|tapir/i;

/** Every column of every table, as text. */
async function everything(): Promise<string> {
  const tables = await system.sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => system.sql<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t`)),
  );
  const text = rows.flat().map(({ row }) => row);
  // Bytes stand there in hexadecimal.
  const bytes = text.flatMap((row) =>
    [...row.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) => Buffer.from(hex!, "hex")),
  );
  return [...text, ...bytes.map((each) => each.toString("latin1"))].join("\n");
}

test("no table has a trace of an anonymized contact, and its receipt is completed by the other service", async () => {
  const bodyJson = JSON.stringify(person);
  const keyed = (key: string) => system.as({ idempotency: idempotency(key, key) });
  const { contact } = await system.contacts.createContact({ bodyJson }, keyed("create"));
  const { contactId } = contact!;
  await system.contacts.updateContact({ contactId, ifMatch: ["*"], bodyJson: '{"lastName":"Quagga"}' }, keyed("patch"));
  await system.contacts.unsubscribeContact({ contactId }, keyed("unsubscribe"));
  await system.importCsv("email,firstName\nzebra.quagga@example.org,Zebra");
  expect(await everything()).toMatch(traces);

  const anonymize = () =>
    system.contacts.anonymizeContact({ contactId, bodyJson: '{"confirm":true}' }, keyed("anonymize"));
  const first = await anonymize();
  expect(first.contact).toMatchObject({ contactId, status: "anonymized", attributesJson: "{}" });
  const gone = { case: "contacts", value: { contactIds: [contactId], status: "anonymized" } };
  expect(system.intake.taken.map(({ event }) => event.body.value)).toContainEqual(
    expect.objectContaining({
      change: expect.objectContaining({ ...gone, value: expect.objectContaining(gone.value) }),
    }),
  );
  expect(first.contact!.erasure).toMatchObject({
    services: [{ service: "distribution", erased: { fields: 6, recordedAnswers: 3 } }],
  });
  expect(first.contact!.erasure!.completedAt).toBeUndefined();
  expect(await everything()).not.toMatch(traces);
  // The same request again, and another one.
  expect(await anonymize()).toEqual(first);
  expect(
    await refusal(system.contacts.anonymizeContact({ contactId, bodyJson: '{"confirm":true}' }, system.as())),
  ).toMatchObject({
    code: "already_anonymized",
  });
  expect((await refusal(system.update(contactId, { firstName: "A" }))).code).toBe("already_anonymized");
  expect(await system.summary()).toEqual({ active: 0, unsubscribed: 0, bounced: 0, anonymized: 1 });

  const rows = await system.sql<{ payload: Buffer }>("SELECT payload FROM outbox_events");
  const published = rows.map(({ payload }) => fromBinary(EventSchema, payload));
  const ours = published.filter(({ body }) => body.case === "contactAnonymized");
  expect(ours).toMatchObject([{ workspaceId, body: { value: { contactId } } }]);

  const erased = create(EventSchema, {
    eventId: "event00000000001",
    workspaceId,
    occurredAt: timestampFromDate(new Date()),
    source: "response",
    body: { case: "contactErased", value: { contactId, erased: { answers: 2, respondents: 1, exportFiles: 0 } } },
  });
  expect(await system.handOver([erased], "erasure-receipts")).toEqual(["event00000000001"]);
  await system.handOver([erased], "erasure-receipts");
  const { erasure } = await system.get(contactId);
  expect(erasure!.completedAt).toBeDefined();
  expect(erasure!.services.map(({ service, erased: counts }) => [service, counts])).toEqual([
    ["distribution", { fields: 6, recordedAnswers: 3 }],
    ["response", { answers: 2, respondents: 1, exportFiles: 0 }],
  ]);
  // The address is free again.
  await system.create({ email: person.email, externalId: person.externalId });
});

test("nothing is left of what services erased of a contact that is then deleted, whatever they still report", async () => {
  const { contactId } = await system.create({ email: "erased@example.org" });
  await system.contacts.anonymizeContact({ contactId, bodyJson: '{"confirm":true}' }, system.as());
  const erasures = () => system.sql("SELECT service FROM contact_erasures WHERE contact_id = $1", [contactId]);
  expect(await erasures()).toHaveLength(1);
  await system.contacts.deleteContacts({ bodyJson: JSON.stringify({ ids: [contactId] }) }, system.as());
  expect(await erasures()).toEqual([]);
  const erased = create(EventSchema, {
    eventId: "event00000000002",
    workspaceId,
    occurredAt: timestampFromDate(new Date()),
    source: "response",
    body: { case: "contactErased", value: { contactId, erased: { answers: 2 } } },
  });
  expect(await system.handOver([erased], "erasure-receipts")).toEqual(["event00000000002"]);
  expect(await erasures()).toEqual([]);
});

test("no table has a trace of a deleted contact either: its recorded responses are deleted with it", async () => {
  const other = { email: "other@example.org", lastName: "Stays" };
  const keyed = (key: string) => system.as({ idempotency: idempotency(key, key) });
  const create = async (body: object, key: string) =>
    (await system.contacts.createContact({ bodyJson: JSON.stringify(body) }, keyed(key))).contact!;
  const { contactId } = await create({ ...person, email: "zebra@example.net", externalId: "okapi-10" }, "first");
  const kept = await create(other, "second");
  await system.contacts.updateContact({ contactId, ifMatch: ["*"], bodyJson: '{"phone":null}' }, keyed("third"));
  await system.contacts.deleteContacts({ bodyJson: JSON.stringify({ ids: [contactId] }) }, system.as());
  expect(await everything()).not.toMatch(/zebradina|zebra@example.net|okapi-10|tapir/i);
  expect(await create(other, "second")).toEqual(kept);
});
