import { WorkspaceTransferService, type TransferEnd, type WorkspacePart } from "@canvass/proto/transfer";
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { codeOf } from "../test-kit/index.ts";
import { startNotes } from "./note-service.ts";

const workspaceId = "workspace0000001";
const transferKey = randomBytes(32);
const operatorKey = randomBytes(32).toString("base64");
const options = { environment: { CANVASS_OPERATOR_KEY: operatorKey } };

type Notes = Awaited<ReturnType<typeof startNotes>>;
let [from, to]: Notes[] = [];
beforeAll(async () => {
  from = await startNotes({ purges: [] }, options);
  to = await startNotes({ purges: [] }, options);
});
afterAll(async () => {
  await from?.[Symbol.asyncDispose]();
  await to?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const { sql } of [from!, to!]) await sql("TRUNCATE notes, idempotency_records, outbox_events, consumed_events");
});

const of = (notes: Notes | undefined) => notes!.client(WorkspaceTransferService, { operatorKey });
const addNotes = ({ sql }: Notes, owner: string, count: number) =>
  sql(`INSERT INTO notes SELECT $1, 'note ' || n, now() FROM generate_series(1, $2::int) AS n`, [owner, count]);
const notesOf = ({ sql }: Notes) => sql("SELECT * FROM notes ORDER BY workspace_id, note_id");

async function exportParts(): Promise<WorkspacePart[]> {
  const parts: WorkspacePart[] = [];
  for await (const { part } of of(from).exportWorkspace({ workspaceId, transferKey })) parts.push(part!);
  return parts;
}

async function* steps(parts: readonly WorkspacePart[], transferId = "first") {
  yield { step: { case: "transfer" as const, value: { workspaceId, transferId, transferKey } } };
  for (const value of parts) yield { step: { case: "part" as const, value } };
}

const endOf = (parts: readonly WorkspacePart[]) => parts.at(-1)!.part.value as TransferEnd;
const refusal = (call: Promise<unknown>) => call.catch((error: { details: unknown }) => error.details);

test("all rows of one workspace move, with pending events; a repetition stores nothing", async () => {
  await addNotes(from!, workspaceId, 450);
  await addNotes(from!, "workspace0000002", 3);
  await from!.sql(
    `INSERT INTO outbox_events VALUES ('event', $1, 'audit.recorded', '\\x0102', '2026-03-01T11:00Z', '{audit}', NULL)`,
    [workspaceId],
  );
  const parts = await exportParts();
  // The outbox is first, so that the command sees events under way before it reads anything else.
  expect(endOf(parts).tables).toMatchObject([
    { table: "outbox_events", rows: 1n },
    { table: "notes", rows: 450n },
    { table: "consumed_events", rows: 0n },
    { table: "poison_events", rows: 0n },
  ]);
  expect(await of(to).importWorkspace(steps(parts))).toMatchObject({ takenBefore: false });
  const all = await notesOf(from!);
  expect(await notesOf(to!)).toEqual(all.filter((row) => row["workspace_id"] === workspaceId));
  expect(await to!.sql("SELECT * FROM outbox_events")).toEqual(await from!.sql("SELECT * FROM outbox_events"));
  expect(await of(to).importWorkspace(steps(parts))).toMatchObject({ takenBefore: true });
  expect(await of(to).checkWorkspace({ transfer: { workspaceId, transferId: "first" } })).toMatchObject({
    taken: true,
  });
  expect(await notesOf(to!)).toHaveLength(450);
});

test("consumed events stay, at the source and at the target; those in files of older versions still come", async () => {
  const columns = ["event_id", "workspace_id", "consumer", "consumed_at"];
  const row = {
    event_id: "one",
    workspace_id: workspaceId,
    consumer: "audit",
    consumed_at: "2026-03-01T11:00:00+00:00",
  };
  for (const { sql } of [from!, to!]) {
    await sql(`INSERT INTO consumed_events (${columns.join()}) VALUES ($1, $2, $3, $4)`, Object.values(row));
  }
  const parts = await exportParts();
  expect(endOf(parts).tables).toMatchObject([{}, {}, { table: "consumed_events", rows: 0n }, {}]);
  expect(await of(to).checkWorkspace({ transfer: { workspaceId, transferId: "first" } })).toMatchObject({ faults: [] });
  const rows = [JSON.stringify({ ...row, event_id: "older" })];
  const older = {
    part: { case: "rows", value: { shape: { table: "consumed_events", columns }, rows } },
  } as WorkspacePart;
  endOf(parts).tables[2]!.rows = 1n;
  expect(await of(to).importWorkspace(steps([older, ...parts]))).toMatchObject({ takenBefore: false });
  expect(await to!.sql("SELECT event_id FROM consumed_events ORDER BY 1")).toEqual([
    { event_id: "older" },
    { event_id: "one" },
  ]);
});

test("long rows are read in chunks no larger than a message", async () => {
  // Longer than a page, and short enough for an index as it packs them.
  await from!.sql(`INSERT INTO notes SELECT $1, repeat('x', 100000) || n, now() FROM generate_series(1, 60) AS n`, [
    workspaceId,
  ]);
  await addNotes(from!, workspaceId, 300);
  using query = vi.spyOn(Client.prototype, "query");
  const parts = await exportParts();
  type Answer = { rows?: { row?: string }[] } | undefined;
  const answers = await Promise.all(query.mock.results.map(({ value }) => Promise.resolve(value as Promise<Answer>)));
  const lengths = answers.map((answer) => (answer?.rows ?? []).reduce((sum, { row = "" }) => sum + row.length, 0));
  expect(Math.max(...lengths)).toBeGreaterThan(400_000);
  expect(Math.max(...lengths)).toBeLessThan(550_000);
  expect(endOf(parts).tables[1]).toMatchObject({ table: "notes", rows: 360n });
  expect(await of(to).importWorkspace(steps(parts))).toMatchObject({ takenBefore: false });
  expect(await notesOf(to!)).toEqual(await notesOf(from!));
});

test("an existing workspace and missing tables and columns are all reported, and nothing is written", async () => {
  await addNotes(to!, workspaceId, 1);
  await addNotes(from!, workspaceId, 2);
  const tables = [
    { table: "notes", columns: ["workspace_id", "mood"] },
    { table: "moods", columns: [] },
  ];
  const { faults } = await of(to).checkWorkspace({ transfer: { workspaceId, transferId: "first" }, tables });
  expect(faults).toEqual([
    "notes has no mood here",
    "the table moods is not known here",
    "notes has rows of this workspace already",
  ]);
  expect(await refusal(of(to).importWorkspace(steps(await exportParts())))).toEqual({
    file: ["notes has rows of this workspace already"],
  });
  expect(await notesOf(to!)).toHaveLength(1);
});

test("a truncated file, or one with foreign rows, leaves nothing behind", async () => {
  await addNotes(from!, workspaceId, 300);
  const parts = await exportParts();
  const foreign = JSON.stringify({ workspace_id: "workspace0000002", note_id: "n", created_at: "2026-03-01T11:00Z" });
  const shape = { table: "notes", columns: ["workspace_id", "note_id", "created_at"] };
  const other = { part: { case: "rows", value: { shape, rows: [foreign] } } } as WorkspacePart;
  const lacking = parts.filter(({ part }, index) => index !== 2 || part.case !== "rows");
  for (const [wrong, why] of [
    [parts.slice(0, -1), "The end is missing."],
    [lacking, "Rows or files are missing: notes."],
    [[other, ...parts], "notes has rows of another workspace."],
  ] as const) {
    expect(await refusal(of(to).importWorkspace(steps(wrong)))).toEqual({ file: [why] });
  }
  expect(await notesOf(to!)).toEqual([]);
  expect(await of(to).importWorkspace(steps(parts))).toMatchObject({ takenBefore: false });
});

test("a table that is neither moved nor left ends the export, and only operators may ask for one", async () => {
  await from!.sql("CREATE TABLE forgotten (workspace_id text)");
  expect(await codeOf(exportParts())).toBe("internal_error");
  await from!.sql("DROP TABLE forgotten");
  const peer = from!.client(WorkspaceTransferService);
  const asked = async () => {
    for await (const { part } of peer.exportWorkspace({ workspaceId, transferKey })) expect(part).toBeUndefined();
  };
  expect(await codeOf(asked())).toBe("unauthorized");
});
