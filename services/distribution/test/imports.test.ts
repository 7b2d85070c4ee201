import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, expect, test } from "vitest";
import { startContactsSystem } from "./contacts-system.ts";
import { holdSql, lockKey } from "./held-imports.ts";

const system = await sharedByFile(startContactsSystem({ now: () => new Date() }));
beforeEach(async () => {
  for (const table of ["contacts", "contact_counters", "contact_activities"]) await system.sql(`DELETE FROM ${table}`);
});

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");

const table = (delimiter: string, end = "\n") =>
  [
    ["E-Mail", "First Name", "last_name", "Plan", "Phone"],
    ["jose@example.org", "José", "Müller", '"gold', `""A""${end}line two"`, "00 49 (151) 123-45678"],
  ]
    .map((cells, index) => (index === 0 ? cells : [...cells.slice(0, 3), cells.slice(3, 5).join(" "), cells[5]!]))
    .map((cells) => cells.join(delimiter))
    .join(end);

test.each([
  ["UTF-8", Buffer.from(table(","))],
  ["UTF-8 with a byte order mark, semicolons and CRLF", Buffer.from(`\uFEFF${table(";", "\r\n")}\r\n`)],
  ["tabs", Buffer.from(table("\t"))],
  ["Windows-1252", latin1(table(";"))],
  ["UTF-16", utf16(table("\t"))],
])("a file in %s is read", async (_name, bytes) => {
  expect(await system.importCsv(bytes)).toMatchObject({ status: "completed", total: 1, created: 1, failed: 0 });
  const { contacts } = await system.list({ email: "jose@example.org" });
  expect(contacts[0]).toMatchObject({ firstName: "José", lastName: "Müller", phone: "+4915112345678" });
  expect((JSON.parse(contacts[0]!.attributesJson) as { Plan: string }).Plan.replace("\r\n", "\n")).toBe(
    'gold "A"\nline two',
  );
});

test("invalid rows are reported by row and column, without their values, and valid ones are stored", async () => {
  const csv = [
    "email,phone,language",
    "good@example.org,,de",
    "not an address,,de",
    "phone@example.org,123,deutsch!",
    ",,de",
    "long@example.org,,de,too many",
  ].join("\n");
  const outcome = await system.importCsv(csv);
  expect(outcome).toMatchObject({ total: 5, created: 1, failed: 4, skipped: 0, updated: 0 });
  expect(outcome.errors.map(({ row, column }) => [row, column])).toEqual([
    [2, "email"],
    [3, "phone"],
    [3, "language"],
    [4, "email"],
    [5, "column 4"],
  ]);
  expect(JSON.stringify(outcome.errors)).not.toMatch(/not an address|deutsch|too many/);
});

test("of many faults the first hundred are kept", async () => {
  const rows = Array.from({ length: 600 }, () => "nobody");
  const outcome = await system.importCsv(`email\n${rows.join("\n")}`);
  expect(outcome).toMatchObject({ failed: 600 });
  expect(outcome.errors.map(({ row }) => row)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
});

test("upsert changes who is there, create skips them, and rows of one person in a file meet", async () => {
  await system.create({ email: "there@example.org", firstName: "Old", externalId: "t1" });
  const csv =
    "email,firstName,externalId\nThere@example.org,New,t1\nnew@example.org,A,\nNEW@example.org,B,\nnew@example.org,B,";
  expect(await system.importCsv(csv, { mode: "create" })).toMatchObject({ created: 1, skipped: 3, updated: 0 });
  expect(await system.importCsv(csv)).toMatchObject({ created: 0, updated: 2, skipped: 2, failed: 0 });
  const names = async () => (await system.list()).contacts.map(({ firstName }) => firstName ?? "").toSorted();
  expect(await names()).toEqual(["B", "New"]);
  expect(await system.summary()).toMatchObject({ active: 2 });
});

test.each([
  ["a cell with NUL", "email,firstName\na@example.org,A\na@example.org,\0", "line 3 holds NUL"],
  [
    "a cell with NUL behind a line that tells the delimiter",
    "sep=;\nemail;firstName\na@example.org;\0",
    "line 3 holds",
  ],
  ["UTF-16 without a byte order mark", Buffer.from("email\nada@example.org", "utf16le"), "line 1 holds NUL"],
])("%s is refused as a whole, in words", async (_name, file, message) => {
  const { code, details } = (await refusal(system.importCsv(file))) as { code: string; details: { body: string[] } };
  expect([code, details.body[0]]).toEqual(["validation_failed", expect.stringContaining(message)]);
});

test("the declared charset is used; bytes that are invalid in it fail the row and overwrite nothing", async () => {
  const send = async (value: Uint8Array, charset: string) => {
    const source = { case: "csv" as const, value };
    const { import: queued } = await system.contacts.createImport({ source, charset }, system.as());
    return system.waitForImport(queued!.importId);
  };
  const polish = Buffer.concat([
    Buffer.from("email,firstName\npl@example.org,"),
    Buffer.from([0xa3]),
    Buffer.from("ukasz"),
  ]);
  expect(await send(polish, "windows-1250")).toMatchObject({ created: 1, failed: 0 });
  expect((await system.list({ email: "pl@example.org" })).contacts[0]!.firstName).toBe("Łukasz");
  const damaged = Buffer.concat([
    Buffer.from("email,firstName,plan\nnew@example.org,Łu,\npl@example.org,"),
    polish.subarray(31),
  ]);
  const outcome = await send(damaged, "");
  expect(outcome).toMatchObject({ created: 1, failed: 1 });
  expect(outcome.errors).toMatchObject([{ row: 2, column: "firstName" }]);
  expect((await system.list({ email: "pl@example.org" })).contacts[0]!.firstName).toBe("Łukasz");
});

test("no control character is stored", async () => {
  const outcome = await system.importCsv(
    "email,firstName,plan\na@example.org,A\u0007,\nb@example.org,B,\u0085x\nc@example.org,C,x",
  );
  expect(outcome).toMatchObject({ created: 1, failed: 2 });
  expect(outcome.errors.map(({ column }) => column)).toEqual(["firstName", "attributes.plan"]);
});

test.each([
  ["a column too many everywhere", "email,firstName,\nd1@example.org,Ann,\n"],
  ["a delimiter too many in the rows", "email,firstName\nd1@example.org,Ann,\n"],
  ["two columns too many, one of blanks", "email, ,firstName,\nd1@example.org,,Ann, \n"],
  ["a quoted line that tells the delimiter", '\uFEFF"sep=;"\r\nemail;firstName\r\nd1@example.org;Ann\r\n'],
])("a file with %s is read", async (_name, file) => {
  expect(await system.importCsv(file)).toMatchObject({ total: 1, created: 1, failed: 0 });
  expect((await system.list()).contacts).toMatchObject([{ firstName: "Ann", attributesJson: "{}" }]);
});

test("phone numbers are read as intended, and impossible ones fail their row", async () => {
  const file = [
    "email,phone",
    "a@example.org,+49 (0)151 2345678",
    "b@example.org,+44 (0) 20 7946 0958",
    "c@example.org,+49 1",
  ];
  const outcome = await system.importCsv(file.join("\n"));
  expect(outcome).toMatchObject({ created: 2, failed: 1 });
  expect(outcome.errors).toMatchObject([{ row: 3, column: "phone" }]);
  const phones = (await system.list()).contacts.map(({ phone }) => phone ?? "").toSorted((a, b) => a.localeCompare(b));
  expect(phones).toEqual(["+442079460958", "+491512345678"]);
});

test("a preview shows the first ten rows as they would be stored and the faults of all, and keeps nothing", async () => {
  const lines = Array.from(
    { length: 12 },
    (_, n) => `p${n}@example.org,+49 (0)151 2345${n + 10},${n === 1 ? "de!" : "de"}`,
  );
  const source = { case: "csv" as const, value: Buffer.from(["email,phone,language", ...lines, "nobody"].join("\n")) };
  const preview = await system.contacts.previewImport({ import: { source } }, system.as());
  expect(preview).toMatchObject({ total: 13, failed: 2 });
  expect(preview.errors.map(({ row, column }) => [row, column])).toEqual([
    [2, "language"],
    [13, "email"],
  ]);
  expect(preview.rows.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(JSON.parse(preview.rows[0]!.fieldsJson)).toMatchObject({ email: "p0@example.org", phone: "+49151234510" });
  expect(preview.rows[1]!.fieldsJson).toBe("");
  expect((await system.list()).contacts).toEqual([]);
  expect(await system.sql("SELECT FROM staged_rows")).toEqual([]);
  expect(
    await refusal(
      system.contacts.previewImport({ import: { source: { case: "csv", value: Buffer.from("x") } } }, system.as()),
    ),
  ).toMatchObject({ code: "validation_failed" });
});

test("a cell of blanks or invisible characters changes nothing", async () => {
  await system.importCsv("email,firstName\ncell@example.org,Ada");
  const done = await system.importCsv("email,firstName\ncell@example.org,\u200b");
  expect(done).toMatchObject({ skipped: 1, updated: 0 });
});

test("rows of JSON that a database cannot store are reported", async () => {
  const rows = [{ email: "a@example.org" }, { email: "b@example.org", attributes: { plan: "\0" } }];
  const source = { case: "bodyJson" as const, value: JSON.stringify({ rows }) };
  expect(await refusal(system.importRows(source))).toMatchObject({
    code: "validation_failed",
    details: { "rows.1": [expect.stringContaining("NUL")] },
  });
  const value = '{"rows": [{"email": "a@example.org", "attributes": {"n": 1e400}}]}';
  expect(await refusal(system.importRows({ case: "bodyJson", value }))).toMatchObject({
    details: { "rows.0": [expect.stringContaining("1.79e308")] },
  });
});

test("the delimiter that a spreadsheet declares in its own line is used", async () => {
  const file = "sep=|\r\nemail|firstName\r\nada@example.org|Ada; Lovelace\r\n";
  expect(await system.importCsv(file)).toMatchObject({ total: 1, created: 1 });
  expect((await system.list()).contacts).toMatchObject([{ firstName: "Ada; Lovelace" }]);
});

test("an import leaves an unsubscribed contact unsubscribed", async () => {
  const { contactId } = await system.create({ email: "ada@example.org" });
  await system.contacts.unsubscribeContact({ contactId }, system.as());
  const file = "email,status,firstName\nada@example.org,active,Ada\nADA@example.org,bounced,Ada";
  expect(await system.importCsv(file)).toMatchObject({ updated: 1, skipped: 1, failed: 0 });
  expect(await system.get(contactId)).toMatchObject({ status: "unsubscribed", firstName: "Ada" });
});

test("matched by external id, contacts take each other's addresses only once these are free", async () => {
  const rows = [
    { externalId: "1", email: "one@example.org" },
    { externalId: "2", email: "two@example.org" },
  ];
  const send = (list: object[]) =>
    system.importRows({
      case: "bodyJson",
      value: JSON.stringify({ rows: list, mode: "upsert", matchOn: "externalId" }),
    });
  expect(await send(rows)).toMatchObject({ created: 2 });
  const moved = [
    { externalId: "1", email: "two@example.org" },
    { externalId: "2", email: "free@example.org" },
    { externalId: "1", email: "two@example.org" },
  ];
  const outcome = await send(moved);
  expect(outcome).toMatchObject({ failed: 1, updated: 2 });
  expect(outcome.errors).toMatchObject([{ row: 1, column: "email", message: "belongs to another contact" }]);
  const { contacts } = await system.list({ externalId: "1" });
  expect(contacts[0]).toMatchObject({ email: "two@example.org" });
});

test.each([
  [
    "an address",
    "externalId",
    { externalId: "1", email: "new@example.org" },
    { externalId: "2", email: "a@example.org" },
  ],
  ["an external id", "email", { email: "a@example.org", externalId: "2" }, { email: "b@example.org", externalId: "1" }],
])("a new contact takes %s that an earlier row of the file set free", async (_what, matchOn, known, added) => {
  const { contactId } = await system.create({ email: "a@example.org", externalId: "1" });
  const value = JSON.stringify({ rows: [known, added], mode: "upsert", matchOn });
  expect(await system.importRows({ case: "bodyJson", value })).toMatchObject({
    status: "completed",
    updated: 1,
    created: 1,
    failed: 0,
  });
  expect(await system.get(contactId)).toMatchObject(known);
  expect((await system.list({ email: added.email })).contacts).toMatchObject([added]);
});

test("settings of the query complete those of a JSON body, and must not differ", async () => {
  const rows = [{ externalId: "beside" }, { externalId: "beside" }];
  const source = { case: "bodyJson" as const, value: JSON.stringify({ rows, mode: "create" }) };
  const outcome = await system.importRows(source, undefined, { mode: "create", matchOn: "externalId" });
  expect(outcome).toMatchObject({ mode: "create", matchOn: "externalId", created: 1, skipped: 1 });
  expect(await refusal(system.importRows(source, undefined, { mode: "upsert" }))).toMatchObject({
    code: "validation_failed",
    details: { mode: ["differs from that of the query"] },
  });
});

test("rows of JSON are validated one by one, the request as a whole", async () => {
  const rows = [{ email: "a@example.org", attributes: { n: 1 } }, { email: 5 }, {}];
  const outcome = await system.importRows({ case: "bodyJson", value: JSON.stringify({ rows }) });
  expect(outcome).toMatchObject({ mode: "upsert", matchOn: "email", created: 1, failed: 2 });
  const send = (body: object) =>
    refusal(system.contacts.createImport({ source: { case: "bodyJson", value: JSON.stringify(body) } }, system.as()));
  expect(
    Object.keys((await send({ rows: [], mode: "x", matchOn: "phone", y: 1 })).details as object).toSorted(),
  ).toEqual(["matchOn", "mode", "rows", "y"]);
  expect((await send({ rows: [{}, 7, []] })).details).toEqual({
    "rows.1": ["must be an object"],
    "rows.2": ["must be an object"],
  });
});

test.each([
  ["nothing", "", "line of headings"],
  ["only headings", "email\n", "line of headings"],
  ["a column twice", "email,E-Mail\na@example.org,b", "two columns"],
  ["no column to match on", "phone\n+4915112345678", "a column email"],
  ["a column without heading", "email,,phone\na@example.org,b,c", "above column 2"],
  ["an open quote", 'email\n"a@example.org', "close every quote"],
  ["too many rows", `email\n${"a@example.org\n".repeat(10_001)}`, "at most 10000 rows"],
])("a file with %s is refused", async (_name, text, message) => {
  const content = new TextEncoder().encode(text);
  const source = { case: "csv" as const, value: content };
  const { code, details } = await refusal(system.contacts.createImport({ source }, system.as()));
  expect(code).toBe("validation_failed");
  expect(JSON.stringify(details)).toContain(message);
});

test("of imports, small and large, and creates of one address at once in two processes, one makes the contact", async () => {
  const others = Array.from({ length: 600 }, (_, n) => `other${n}@example.org`);
  const csv = (n: number) => ["email", ...(n % 2 ? others : []), "race@example.org"].join("\n");
  await using _second = await system.startAnother();
  const imports = await Promise.all([
    ...Array.from({ length: 8 }, (_, n) => system.importCsv(csv(n))),
    ...Array.from({ length: 8 }, () => system.create({ email: "race@example.org" }).catch(() => undefined)),
  ]);
  const created = imports.reduce((sum, outcome) => sum + (outcome && "created" in outcome ? outcome.created : 0), 0);
  expect(created).toBeGreaterThanOrEqual(600);
  expect(await system.summary()).toMatchObject({ active: 601 });
  expect((await system.list({ email: "race@example.org" })).contacts).toHaveLength(1);
});

test("when an import has ended nothing of its rows stays, and its activity names fields only", async () => {
  const outcome = await system.importCsv("email,firstName\nleft@example.org,Left");
  expect(await system.sql("SELECT FROM staged_rows")).toEqual([]);
  const { contacts } = await system.list();
  const activity = { contactId: contacts[0]!.contactId, limit: 5, cursor: "" };
  const { activities } = await system.contacts.listContactActivity(activity, system.as());
  expect(activities).toMatchObject([
    { kind: "imported", changedFields: ["email", "firstName"], importId: outcome.importId },
  ]);
});

test("an import whose rows were purged while it waited fails", async () => {
  await system.sql(holdSql);
  const holder = await system.pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [lockKey]);
  const lines = Array.from({ length: 1_200 }, (_, n) => `waits${n}@example.org`);
  const source = { case: "csv" as const, value: new TextEncoder().encode(`email\n${lines.join("\n")}`) };
  const { import: queued } = await system.contacts.createImport({ source }, system.as());
  const done = async () => (await system.summary())["active"] === 500;
  await waitFor(done, { describe: "the first chunk" });
  await system.sql("DELETE FROM staged_rows");
  await holder.query("SELECT pg_advisory_unlock($1)", [lockKey]);
  holder.release();
  await system.sql("DROP TRIGGER held ON jobs; DROP FUNCTION hold()");
  const importId = queued!.importId;
  const found = async () => (await system.contacts.getImport({ importId }, system.as())).import!;
  const hasRun = "SELECT FROM jobs WHERE job_id = $1 AND (error IS NOT NULL OR outcome IS NOT NULL)";
  await waitFor(async () => (await system.sql(hasRun, [importId])).length > 0, { describe: "the end of its run" });
  expect((await found()).status).toBe("processing");
  // As if it had been tried for long.
  await system.sql("UPDATE jobs SET attempts = 1000, due_at = now() WHERE job_id = $1", [importId]);
  await waitFor(async () => (await found()).status === "failed", { describe: "its end" });
  expect(await found()).toMatchObject({ total: 1_200, created: 750 });
});

test("ten thousand rows are stored, while another workspace's few do not wait for them", async () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => `big${n}@example.org,First${n},Last${n}`);
  const content = new TextEncoder().encode(`email,firstName,lastName\n${lines.join("\n")}`);
  const source = { case: "csv" as const, value: content };
  await system.sql(holdSql);
  const holder = await system.pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [lockKey]);
  const { import: big } = await system.contacts.createImport({ source }, system.as());
  const few = await system.importRows(
    { case: "bodyJson", value: JSON.stringify({ rows: [{ email: "few@example.org" }] }) },
    "workspace0000002",
  );
  expect(few).toMatchObject({ status: "completed", created: 1 });
  const { import: meanwhile } = await system.contacts.getImport({ importId: big!.importId }, system.as());
  expect(meanwhile!.status).not.toBe("completed");
  await holder.query("SELECT pg_advisory_unlock($1)", [lockKey]);
  holder.release();
  await system.sql("DROP TRIGGER held ON jobs; DROP FUNCTION hold()");
  const done = await system.importRows({ case: "bodyJson", value: '{"rows":[{"email":"last@example.org"}]}' });
  expect(done.created).toBe(1);
  await waitFor(async () => (await system.summary())["active"] === 10_001, { describe: "all", timeoutMs: 60_000 });
});
