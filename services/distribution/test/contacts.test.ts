import { idempotency, refusal } from "@canvass/service/testing";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { sqlFromPg, type Sql } from "@canvass/postgres";
import { searchContacts, type SearchPosition } from "../src/storage/contacts/contact-search.ts";
import { startContactsSystem, workspaceId } from "./contacts-system.ts";

const system = await sharedByFile(startContactsSystem());
beforeEach(async () => {
  for (const table of ["contacts", "contact_counters", "contact_activities", "outbox_events"]) {
    await system.sql(`DELETE FROM ${table}`);
  }
});

const ada = {
  email: "Ada@Example.org",
  phone: "+4915112345678",
  firstName: "Ada",
  lastName: "Lovelace",
  externalId: "crm-1",
  language: "en-GB",
  attributes: { plan: "pro", seats: 3, vip: true },
};

test("a contact is created and read with all its fields", async () => {
  const { contactId, etag } = await system.create(ada);
  const { attributesJson, $typeName: _, ...found } = await system.get(contactId);
  const { attributes, ...texts } = ada;
  expect(found).toMatchObject({ ...texts, status: "active", etag });
  expect(JSON.parse(attributesJson)).toEqual(attributes);
  expect(found.erasure).toBeUndefined();
});

test("all violations of a body are reported at once, and nothing is written", async () => {
  const body = {
    email: "a@b@c",
    phone: "0151 123",
    firstName: "x".repeat(101),
    language: "english please",
    status: "anonymized",
    attributes: { "": 1, list: [1], long: "x".repeat(1_001) },
    nonsense: 1,
  };
  const { code, details } = await refusal(system.create(body));
  expect(code).toBe("validation_failed");
  expect(Object.keys(details as object).toSorted()).toEqual([
    "attributes.",
    "attributes.list",
    "attributes.long",
    "email",
    "firstName",
    "language",
    "nonsense",
    "phone",
    "status",
  ]);
  expect(await system.summary()).toEqual({ active: 0, unsubscribed: 0, bounced: 0, anonymized: 0 });
});

test("a contact needs an e-mail address, a phone number or an external id", async () => {
  expect(await refusal(system.create({ firstName: "Ada" }))).toMatchObject({
    code: "validation_failed",
    details: { email: [expect.any(String)] },
  });
  const { contactId } = await system.create({ email: "a@example.org" });
  expect((await refusal(system.update(contactId, { email: null }))).code).toBe("validation_failed");
});

test("of sixteen creates of one e-mail address in any case at once one succeeds", async () => {
  const bodies = Array.from({ length: 16 }, (_, n) => ({ email: n % 2 ? "One@example.org" : "one@EXAMPLE.org" }));
  const outcomes = await Promise.allSettled(bodies.map((body) => system.create(body)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: "validation_failed", details: { email: ["belongs to another contact"] } });
  }
  expect(await system.summary()).toMatchObject({ active: 1 });
  // Another workspace has its own.
  await system.create({ email: "one@example.org" }, "workspace0000002");
});

test("a patch changes only the given fields, needs the current ETag, and null clears a field", async () => {
  const { contactId, etag } = await system.create(ada);
  expect((await refusal(system.update(contactId, { firstName: "A" }, ['"old"']))).code).toBe("precondition_failed");
  expect((await refusal(system.update(contactId, {}, [etag]))).code).toBe("invalid_request");
  const patch = { phone: null, attributes: { plan: null, seats: 4 }, status: "bounced" };
  const updated = await system.update(contactId, patch, [etag]);
  expect(updated.phone).toBeUndefined();
  expect(updated).toMatchObject({ email: ada.email, status: "bounced" });
  expect(JSON.parse(updated.attributesJson)).toEqual({ seats: 4, vip: true });
  expect(updated.etag).not.toBe(etag);
  // Invisible characters are no name.
  expect((await system.update(contactId, { lastName: "\u200b " })).lastName).toBeUndefined();
  expect(await system.summary()).toMatchObject({ active: 0, bounced: 1 });
  const before = await system.get(contactId);
  const same = await system.update(contactId, { status: "bounced" });
  expect(same.etag).toBe(before.etag);
  const other = await system.create({ email: "other@example.org" });
  expect(
    (await refusal(system.update(other.contactId, { email: "ADA@example.org", externalId: "crm-1" }))).details,
  ).toEqual({ email: ["belongs to another contact"], externalId: ["belongs to another contact"] });
});

test("activity and audit log name what changed, never a value", async () => {
  const { contactId } = await system.create({ email: "secret@example.org" });
  system.clock.advance(1_000);
  await system.update(contactId, { lastName: "Hidden", attributes: { a: "hush" } });
  system.clock.advance(1_000);
  await system.contacts.unsubscribeContact({ contactId }, system.as());
  const page = await system.contacts.listContactActivity({ contactId, limit: 2, cursor: "" }, system.as());
  expect(page.activities.map(({ kind, changedFields }) => [kind, changedFields])).toEqual([
    ["unsubscribed", ["status"]],
    ["updated", ["lastName", "attributes"]],
  ]);
  const rest = await system.contacts.listContactActivity({ contactId, limit: 2, cursor: page.nextCursor }, system.as());
  expect(rest.activities.map(({ kind }) => kind)).toEqual(["created"]);
  const audited = await system.audited();
  expect(audited.map(({ action }) => action)).toEqual(["contact.created", "contact.updated", "contact.unsubscribed"]);
  expect(JSON.stringify(audited)).not.toMatch(/secret|hidden|hush/i);
});

test("to unsubscribe twice is the same as once", async () => {
  const { contactId } = await system.create(ada);
  const first = await system.contacts.unsubscribeContact({ contactId }, system.as());
  const again = await system.contacts.unsubscribeContact({ contactId }, system.as());
  expect(again.contact).toEqual(first.contact);
  expect(first.contact).toMatchObject({ status: "unsubscribed" });
  expect(first.contact!.unsubscribedAt).toBeDefined();
  expect(await system.summary()).toMatchObject({ active: 0, unsubscribed: 1 });
});

test("a list is paged newest first, and by each filter", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    system.clock.advance(1_000);
    const body = { email: `p${n}@example.org`, externalId: `x${n}`, status: n % 2 ? "bounced" : "active" };
    ids.unshift((await system.create(body)).contactId);
  }
  const first = await system.list({ limit: 2 });
  expect(first).toMatchObject({ hasMore: true });
  const second = await system.list({ limit: 3, cursor: first.nextCursor });
  expect(second).toMatchObject({ hasMore: false, nextCursor: "" });
  const found = [...first.contacts, ...second.contacts];
  expect(found.map(({ contactId }) => contactId)).toEqual(ids);
  const idsOf = async (query: object) => (await system.list(query)).contacts.map(({ contactId }) => contactId);
  expect(await idsOf({ status: "bounced" })).toEqual([ids[1], ids[3]]);
  expect(await idsOf({ email: "P3@EXAMPLE.ORG" })).toEqual([ids[1]]);
  expect(await idsOf({ email: "" })).toEqual([]);
  expect(await idsOf({ externalId: "x0" })).toEqual([ids[4]]);
  const from = timestampFromDate(new Date(system.clock.now().getTime() - 2_000));
  expect(await idsOf({ from })).toEqual(ids.slice(0, 3));
  expect(await idsOf({ to: from })).toEqual(ids.slice(3));
  expect((await refusal(system.list({ status: "lost", cursor: first.nextCursor }))).details).toMatchObject({
    status: [expect.any(String)],
    cursor: [expect.any(String)],
  });
});

test("a search finds by the beginning of address, name and last name, each contact once", async () => {
  const people = [
    { email: "ann.smith@example.org", firstName: "Ann", lastName: "Smith" },
    { email: "zoe@example.org", firstName: "Zoé", lastName: "Annan" },
    { email: "bob@example.org", firstName: "Bob", lastName: "Jones" },
    { email: "annex@example.org" },
    { phone: "+4915112345678", firstName: "ANNA" },
  ];
  for (const person of people) await system.create(person);
  const walk = async (query: string, more: object = {}) => {
    const names: string[] = [];
    let cursor = "";
    do {
      const page = await system.list({ query, limit: 2, cursor, ...more });
      names.push(...page.contacts.map(({ email, firstName }) => email ?? firstName ?? ""));
      cursor = page.nextCursor;
    } while (cursor !== "");
    return names;
  };
  expect(await walk("ann")).toEqual(["ann.smith@example.org", "ANNA", "zoe@example.org", "annex@example.org"]);
  expect(await walk("Ann Sm")).toEqual(["ann.smith@example.org"]);
  expect(await walk("zoe\u0301")).toEqual(["zoe@example.org"]);
  expect(await walk("ann", { status: "bounced" })).toEqual([]);
  expect(await walk("%")).toEqual([]);
});

test("a search by status finds the rare contact wherever the scan of a page stops", async () => {
  // Without a first name both names are one key. Each page scans 1,000 entries of each index.
  await system.sql(
    `INSERT INTO contacts (workspace_id, contact_id, last_name, name_key, last_name_key, status, revision,
       created_at, updated_at)
     SELECT $1, 'contact' || lpad(n::text, 9, '0'), 'Tie', 'tie', 'tie',
       CASE WHEN n % 1000 = 0 THEN 'bounced' ELSE 'active' END, 1, now(), now() FROM generate_series(1, 2001) AS n`,
    [workspaceId],
  );
  const ids: string[] = [];
  let cursor = "";
  do {
    const page = await system.list({ query: "tie", status: "bounced", cursor });
    ids.push(...page.contacts.map(({ contactId }) => contactId));
    cursor = page.nextCursor;
  } while (cursor !== "");
  expect(ids).toEqual(["contact000001000", "contact000002000"]);
});

test("a search goes on behind a page whose contacts are deleted while it is read", async () => {
  const names = ["a", "b", "c", "d"];
  for (const name of names) await system.create({ email: `page-${name}@example.org` });
  const sql = sqlFromPg(system.pool);
  const deletes = ["page-a@example.org", "page-b@example.org"];
  const deleting: Sql = {
    query: async <Row>(text: string, params?: readonly unknown[]) => {
      const rows = await sql.query<Row>(text, params);
      await sql.query("DELETE FROM contacts WHERE email = ANY($1::text[])", [deletes]);
      return rows;
    },
  };
  const anyContact = { workspaceId, status: undefined, email: undefined, externalId: undefined };
  const emails: (string | null)[] = [];
  let after: SearchPosition | undefined;
  do {
    const page = await searchContacts(
      deleting,
      { ...anyContact, from: undefined, to: undefined },
      { query: "page", after, limit: 2 },
    );
    emails.push(...page.found.map(({ contact }) => contact.email));
    after = page.found.length < 2 ? page.end : page.found[1]!.position;
  } while (after);
  expect(emails).toEqual(["page-c@example.org", "page-d@example.org"]);
});

test("contacts are deleted together, with a result for each id", async () => {
  const { contactId: one } = await system.create(ada);
  const { contactId: two } = await system.create({ email: "two@example.org", status: "bounced" });
  const { contactId: foreign } = await system.create({ email: "f@example.org" }, "workspace0000002");
  const contactIds = [one, "nothing000000000", foreign, two, one, "no id"];
  const { results } = await system.contacts.deleteContacts(
    { bodyJson: JSON.stringify({ ids: contactIds }) },
    system.as(),
  );
  expect(results.map(({ found }) => found)).toEqual([true, false, false, true, false, false]);
  expect((await refusal(system.get(one))).code).toBe("contact_not_found");
  expect(await system.summary()).toEqual({ active: 0, unsubscribed: 0, bounced: 0, anonymized: 0 });
  const many = Array.from({ length: 501 }, () => one);
  expect(
    (await refusal(system.contacts.deleteContacts({ bodyJson: JSON.stringify({ ids: many }) }, system.as()))).details,
  ).toHaveProperty("ids");
});

test("counters stay exact while many change the same contacts at once", async () => {
  const made = await Promise.all(Array.from({ length: 12 }, (_, n) => system.create({ email: `c${n}@example.org` })));
  const ids = made.map(({ contactId }) => contactId);
  await Promise.allSettled([
    ...ids.map((contactId) => system.contacts.unsubscribeContact({ contactId }, system.as())),
    ...ids.map((contactId) => system.update(contactId, { status: "bounced" })),
    ...ids
      .slice(0, 4)
      .map((contactId) =>
        system.contacts.deleteContacts({ bodyJson: JSON.stringify({ ids: [contactId] }) }, system.as()),
      ),
    system.importCsv(`email,status\n${ids.map((_, n) => `c${n + 6}@example.org,active`).join("\n")}`),
  ]);
  const stored = await system.sql<{ status: string; count: number }>(
    "SELECT status, count(*)::int FROM contacts WHERE workspace_id = $1 GROUP BY status",
    [workspaceId],
  );
  const none = { active: 0, unsubscribed: 0, bounced: 0, anonymized: 0 };
  const counted = { ...none, ...Object.fromEntries(stored.map(({ status, count }) => [status, count])) };
  expect(await system.summary()).toEqual(counted);
});

test("a patch holds no contact while it waits for another, so that two that exchange addresses do not wait for each other", async () => {
  const [first, second] = [
    await system.create({ email: "a@example.org" }),
    await system.create({ email: "b@example.org" }),
  ];
  const holder = await system.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM contacts WHERE contact_id = $1 FOR UPDATE", [first.contactId]);
  const patched = refusal(system.update(second.contactId, { email: "a@example.org" }));
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await waitFor(async () => (await system.sql(waiting)).length > 0, { describe: "the patch to wait" });
  const free = "SELECT 1 FROM contacts WHERE contact_id = $1 FOR UPDATE SKIP LOCKED";
  const found = await system.sql(free, [second.contactId]);
  await holder.query("COMMIT");
  holder.release();
  expect(found).toHaveLength(1);
  expect(await patched).toMatchObject({ code: "validation_failed", details: { email: [expect.any(String)] } });
});

test("a repeated write with a key gets the first answer", async () => {
  const bodyJson = JSON.stringify({ email: "key@example.org" });
  const create = () =>
    system.contacts.createContact({ bodyJson }, system.as({ idempotency: idempotency("key-1", bodyJson) }));
  expect(await create()).toEqual(await create());
  expect(await system.summary()).toMatchObject({ active: 1 });
});

test("other services learn what contacts hold in the fields that they name", async () => {
  const { contactId } = await system.create({
    ...ada,
    attributes: { ...ada.attributes, email: "her own", "a.b": -1.5 },
  });
  const { contactId: other } = await system.create({ externalId: "crm-2" });
  const fields = [
    "attributes.seats",
    "lastName",
    "attributes.email",
    "email",
    "attributes.vip",
    "attributes.a.b",
    "seats",
  ];
  const contacts = [
    { workspaceId, contactId: other },
    { workspaceId, contactId },
    { workspaceId: "workspace0000002", contactId },
  ];
  const found = await system.contacts.batchFindContacts({ contacts, fields });
  expect(found.contacts.map(({ values }) => values)).toEqual([
    ["", "", "", "", "", "", ""],
    ["3", "Lovelace", "her own", "Ada@Example.org", "true", "-1.5", ""],
    [],
  ]);
});

test("other services learn which contacts there are", async () => {
  const { contactId } = await system.create({ email: "peer@example.org", status: "unsubscribed" });
  const contacts = [
    { workspaceId, contactId },
    { workspaceId: "workspace0000002", contactId },
    { workspaceId, contactId: "nonsense" },
  ];
  const found = await system.contacts.batchFindContacts({ contacts });
  expect(found.contacts.map(({ found: there, status }) => [there, status])).toEqual([
    [true, "unsubscribed"],
    [false, ""],
    [false, ""],
  ]);
});
