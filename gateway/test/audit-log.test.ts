import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AuditEntrySchema, type AuditQuery } from "@canvass/proto/token";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

const time = (text: string) => timestampFromDate(new Date(text));

const byPerson = create(AuditEntrySchema, {
  entryId: "entry00000000001",
  occurredAt: time("2026-03-01T12:00:00Z"),
  actor: "person",
  personId: "person0000000000",
  personName: "Ada",
  tokenId: "token00000000000",
  tokenName: "CI",
  clientAddress: "192.0.2.1",
  requestId: "r1",
  action: "survey.updated",
  resourceType: "survey",
  resourceId: "survey0000000000",
  beforeJson: '{"name":"Old"}',
  afterJson: '{"name":"New"}',
});
const byOperator = create(AuditEntrySchema, {
  entryId: "entry00000000000",
  occurredAt: time("2026-03-01T11:00:00Z"),
  actor: "operator",
  action: "workspace.created",
  resourceType: "workspace",
  resourceId: "workspace0000000",
  afterJson: '{"plan":"free"}',
});

test("changes are shown with who, from where, before and after", async () => {
  await using edge = await startEdge({
    audit: {
      listAuditLog: async () => ({ page: { entries: [byPerson, byOperator], nextCursor: "next", hasMore: true } }),
    },
  });
  const { status, body } = await edge.call("/audit-log");
  expect(status).toBe(200);
  expect(body.pagination).toEqual({ cursor_next: "next", hasMore: true });
  expect(body.data).toEqual([
    {
      id: "entry00000000001",
      occurred_at: "2026-03-01T12:00:00.000Z",
      actor: {
        type: "person",
        person_id: "person0000000000",
        person_name: "Ada",
        token_id: "token00000000000",
        token_name: "CI",
      },
      ip: "192.0.2.1",
      request_id: "r1",
      action: "survey.updated",
      resource: { type: "survey", id: "survey0000000000" },
      before: { name: "Old" },
      after: { name: "New" },
    },
    {
      id: "entry00000000000",
      occurred_at: "2026-03-01T11:00:00.000Z",
      actor: { type: "operator", person_id: null, person_name: null, token_id: null, token_name: null },
      ip: null,
      request_id: null,
      action: "workspace.created",
      resource: { type: "workspace", id: "workspace0000000" },
      before: null,
      after: { plan: "free" },
    },
  ]);
});

test("filters and page reach the service; the last page has no more", async () => {
  const asked: (AuditQuery | undefined)[] = [];
  await using edge = await startEdge({
    audit: {
      listAuditLog: async ({ query }) => {
        asked.push(query);
        return { page: { entries: [] } };
      },
    },
  });
  const filters =
    "actor=token00000000000&action=token.created&resource=token&from=2026-01-01T00:00:00.123456Z&to=2026-02-01T01:00:00%2B01:00";
  const { body } = await edge.call(`/audit-log?${filters}&limit=7&cursor=abc`);
  expect(body.pagination).toEqual({ cursor_next: null, hasMore: false });
  await edge.call("/audit-log?cursor=");
  expect(asked).toMatchObject([
    {
      actor: "token00000000000",
      action: "token.created",
      resource: "token",
      from: time("2026-01-01T00:00:00.123Z"),
      to: time("2026-02-01T00:00:00Z"),
      limit: 7,
      cursor: "abc",
    },
    { actor: "", action: "", resource: "", limit: 50, cursor: "" },
  ]);
});

test.each([
  ["action=token.eaten", "action"],
  ["from=yesterday", "from"],
  ["to=2026-02-30T00:00:00Z", "to"],
  ["limit=101", "limit"],
  ["limit=0", "limit"],
  ["who=me", "who"],
])("a query that is wrong is refused: %s", async (text, violation) => {
  await using edge = await startEdge();
  const { status, body } = await edge.call(`/audit-log?${text}`);
  expect([status, body.error.code]).toEqual([422, "validation_failed"]);
  expect(Object.keys(body.error.details)).toEqual([violation]);
});

test("the audit log needs its scope and a role that allows it", async () => {
  await using edge = await startEdge();
  const lacking = edge.services.issueToken(["tokens:write"]);
  expect((await edge.call("/audit-log", { token: lacking.value })).body.error).toMatchObject({
    code: "insufficient_scope",
    details: { required_scope: "audit:read" },
  });
  const powerless = edge.services.issueToken(["audit:read"], { allowed: ["surveys:read"] });
  expect((await edge.call("/audit-log", { token: powerless.value })).body.error.code).toBe("forbidden");
});
