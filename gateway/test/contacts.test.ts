import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ContactSchema, ImportSchema, type CreateImportRequest } from "@canvass/proto/distribution-contacts";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const at = timestampFromDate(new Date("2026-03-01T12:00:00Z"));
const person = {
  contactId: "contact000000000",
  email: "ada@example.org",
  attributesJson: '{"plan":"pro"}',
  status: "active",
  etag: '"tag"',
  createdAt: at,
  updatedAt: at,
};
const contact = create(ContactSchema, person);
const job = { importId: "import0000000000", status: "queued", mode: "upsert", matchOn: "email" };
const queued = create(ImportSchema, job);

test("a contact is shown with every field, and its tag", async () => {
  await using edge = await startEdge({ contact: { getContact: async () => ({ contact }) } });
  const { body, headers } = await edge.call("/contacts/contact000000000");
  expect(body.data).toEqual({
    id: "contact000000000",
    email: "ada@example.org",
    phone: null,
    firstName: null,
    lastName: null,
    externalId: null,
    language: null,
    attributes: { plan: "pro" },
    status: "active",
    createdAt: "2026-03-01T12:00:00.000Z",
    updatedAt: "2026-03-01T12:00:00.000Z",
    unsubscribedAt: null,
    erasure: null,
  });
  expect(headers.get("etag")).toBe('"tag"');
  expect((await edge.call("/contacts/No-Id")).body.error.code).toBe("contact_not_found");
  expect((await edge.call("/contacts/imports/No-Id")).body.error.code).toBe("import_not_found");
});

test("an erasure returns a receipt", async () => {
  const services = [{ service: "response", erased: { answers: 2 }, at }];
  const anonymized = create(ContactSchema, { ...person, erasure: { requestedAt: at, services } });
  await using edge = await startEdge({ contact: { getContact: async () => ({ contact: anonymized }) } });
  expect((await edge.call("/contacts/contact000000000")).body.data.erasure).toEqual({
    status: "processing",
    requestedAt: "2026-03-01T12:00:00.000Z",
    completedAt: null,
    remains: expect.arrayContaining([{ what: expect.stringContaining("import"), days: 3 }]),
    services: [{ service: "response", erased: { answers: 2 }, at: "2026-03-01T12:00:00.000Z" }],
  });
});

test("filters of a list reach the service, and all invalid ones are reported", async () => {
  const asked: object[] = [];
  await using edge = await startEdge({
    contact: {
      listContacts: async (request) => {
        asked.push(request);
        return { contacts: [contact], nextCursor: "next", hasMore: true };
      },
    },
  });
  const { body } = await edge.call(
    "/contacts?status=bounced&email=a%40b.c&externalId=x&q=ann&from=2026-01-01T00:00:00Z&limit=7",
  );
  expect(body.pagination).toEqual({ cursor_next: "next", hasMore: true });
  expect(asked).toMatchObject([{ limit: 7, status: "bounced", email: "a@b.c", externalId: "x", query: "ann" }]);
  const { status, body: refused } = await edge.call("/contacts?status=lost&from=yesterday&limit=0");
  expect(status).toBe(422);
  expect(Object.keys(refused.error.details).toSorted()).toEqual(["from", "limit", "status"]);
});

test("a patch needs If-Match, and its body reaches the service unchanged", async () => {
  const asked: object[] = [];
  await using edge = await startEdge({
    contact: {
      updateContact: async (request) => {
        asked.push(request);
        return { contact };
      },
    },
  });
  const patch = (headers: Record<string, string>) =>
    edge.call("/contacts/contact000000000", { method: "PATCH", headers, body: '{"phone": null}' });
  expect((await patch({ "if-match": '"tag"' })).status).toBe(200);
  await patch({});
  const sent = { contactId: "contact000000000", bodyJson: '{"phone": null}' };
  expect(asked).toMatchObject([
    { ...sent, ifMatch: ['"tag"'] },
    { ...sent, ifMatch: [] },
  ]);
});

test("each id to delete has a result", async () => {
  await using edge = await startEdge({
    contact: {
      deleteContacts: async ({ bodyJson }) => {
        const { ids } = JSON.parse(bodyJson) as { ids: string[] };
        return { results: ids.map((contactId, index) => ({ contactId, found: index === 0 })) };
      },
    },
  });
  const send = (ids: string[]) => edge.call("/contacts/bulk-delete", { method: "POST", body: JSON.stringify({ ids }) });
  expect((await send(["a", "b"])).body.data).toEqual({
    deleted: 1,
    results: [
      { id: "a", status: "deleted" },
      { id: "b", status: "not_found" },
    ],
  });
});

const mebibyte = 1_048_576;

test("an import is JSON or a file of up to 4 MiB, also compressed; `POST /contacts` takes no file", async () => {
  const asked: Pick<CreateImportRequest, "source" | "mode" | "matchOn">[] = [];
  await using edge = await startEdge({
    contact: {
      createImport: async ({ source, mode, matchOn }) => {
        asked.push({ source, mode, matchOn });
        return { import: queued };
      },
      createContact: async () => ({ contact }),
    },
  });
  const post = { method: "POST", body: "email\na@b.c", headers: { "content-type": "text/csv" } };
  expect((await edge.call("/contacts/imports/csv?matchOn=externalId", post)).status).toBe(202);
  expect(asked.pop()).toMatchObject({ source: { case: "csv" }, matchOn: "externalId" });
  const send = (
    body: string | Uint8Array<ArrayBuffer>,
    type = "text/csv",
    query = "",
    more: Record<string, string> = {},
  ) => edge.call(`/contacts/imports${query}`, { method: "POST", body, headers: { "content-type": type, ...more } });
  expect((await send("email\na@b.c", "text/csv; charset=utf-8", "?mode=create&matchOn=externalId")).status).toBe(202);
  expect(asked.pop()).toMatchObject({ source: { case: "csv" }, mode: "create", matchOn: "externalId" });
  const large = `email\n${"a".repeat(4 * mebibyte - 6)}`;
  expect((await send(large)).status).toBe(202);
  expect(asked.pop()!.source.value).toHaveLength(4 * mebibyte);
  const zipped = { "content-encoding": "gzip" };
  expect((await send(Uint8Array.from(gzipSync(large)), "text/csv", "", zipped)).status).toBe(202);
  const tooMuch = (await send(`${large}a`)).body.error;
  expect([tooMuch.code, tooMuch.message]).toEqual(["payload_too_large", expect.not.stringContaining("1 MiB")]);
  expect((await send(Uint8Array.from(gzipSync(`${large}a`)), "text/csv", "", zipped)).body.error.code).toBe(
    "payload_too_large",
  );
  expect((await send("")).body.error.code).toBe("invalid_request");
  expect((await send("email\na@b.c", "text/csv", "?mode=merge")).body.error.details).toHaveProperty("mode");
  const json = JSON.stringify({ rows: [{ email: "a@b.c" }] });
  expect((await send(json, "application/json")).status).toBe(202);
  expect(asked.at(-1)).toEqual({ source: { case: "bodyJson", value: json }, mode: "", matchOn: "" });
  const tooLarge = JSON.stringify({ rows: [{ email: "a".repeat(mebibyte) }] });
  expect((await send(tooLarge, "application/json")).body.error.code).toBe("payload_too_large");
  const elsewhere = { method: "POST", body: "email", headers: { "content-type": "text/csv" } };
  expect((await edge.call("/contacts", elsewhere)).body.error.code).toBe("unsupported_media_type");
});

test("an import shows counts and errors", async () => {
  const errors = [{ row: 3, column: "email", message: "must be an e-mail address" }];
  const counts = { total: 4, created: 1, failed: 1 };
  const found = create(ImportSchema, { ...job, ...counts, status: "processing", errors, createdAt: at });
  await using edge = await startEdge({ contact: { getImport: async () => ({ import: found }) } });
  expect((await edge.call("/contacts/imports/import0000000000")).body.data).toMatchObject({
    status: "processing",
    percentComplete: 50,
    total: 4,
    created: 1,
    failed: 1,
    errors,
    completedAt: null,
    error: null,
  });
});

test("reading and writing need their scopes", async () => {
  await using edge = await startEdge();
  const { value } = edge.services.issueToken(["contacts:read"]);
  const { body } = await edge.call("/contacts", { method: "POST", token: value, body: "{}" });
  expect(body.error).toMatchObject({ code: "insufficient_scope", details: { required_scope: "contacts:write" } });
  const other = edge.services.issueToken(["surveys:write"]).value;
  expect((await edge.call("/contacts", { token: other })).body.error.code).toBe("insufficient_scope");
});
