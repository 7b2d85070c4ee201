import { waitFor } from "@canvass/testing";
import { createLogger } from "@canvass/telemetry";
import { expect, test } from "vitest";
import { startNotes } from "./note-service.ts";

type Notes = Awaited<ReturnType<typeof startNotes>>;

const DAY_MS = 86_400_000;

/** Each purged table: how to insert a finished row, and its retention. */
const tables = [
  {
    table: "idempotency_records",
    keepMs: 0,
    insert: `INSERT INTO idempotency_records
      SELECT 'w', 's', 'key ' || n, '', '', 'r', $1::timestamptz, $1 FROM generate_series(1, $2::int) AS n`,
  },
  {
    table: "consumed_events",
    keepMs: 7 * DAY_MS,
    insert: `INSERT INTO consumed_events
      SELECT 'w', 'response-counts', '0' || n || ' ' || $1, $1::timestamptz FROM generate_series(1, $2::int) AS n`,
  },
  {
    table: "notes",
    keepMs: 1000,
    insert: `INSERT INTO notes SELECT 'w', 'note ' || n || $1, $1::timestamptz FROM generate_series(1, $2::int) AS n`,
  },
];

const countOf = async ({ sql }: Notes, table: string) =>
  (await sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]!.count;

test.each(tables)("$table: rows leave when their retention is over, more than a batch too", async (each) => {
  await using service = await startNotes();
  const { clock, sql } = service;
  // In the future: a round that reads the clock before it moves must not find these rows due.
  const doneAt = new Date(clock.now().getTime() + 1).toISOString();
  clock.advance(each.keepMs);
  await sql(each.insert, [doneAt, 2500]);
  await untilPurged(service);
  expect(await countOf(service, each.table)).toBe(2500);
  clock.advance(2);
  await waitFor(async () => (await countOf(service, each.table)) === 0, { describe: "no rows" });
});

/** Waits for a whole round: the loop deletes this due row after all other tables. */
async function untilPurged({ clock, sql }: Notes): Promise<void> {
  for (const round of [1, 2]) {
    await sql("INSERT INTO notes VALUES ('w', 'marker', $1)", [new Date(clock.now().getTime() - 60_000)]);
    const left = async () => (await sql("SELECT 1 FROM notes WHERE note_id = 'marker'")).length;
    await waitFor(async () => (await left()) === 0, { describe: `round ${round} of the loop` });
  }
}

test("rows that cannot be deleted are named in one warning, and deleted once that is possible", async () => {
  const lines: string[] = [];
  const log = createLogger({ service: "survey", level: "warn", destination: { write: (line) => lines.push(line) } });
  await using service = await startNotes({}, { log });
  await service.sql("ALTER TABLE notes RENAME TO away");
  const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => /past their retention/.test(msg));
  await waitFor(() => warnings().length > 0, { describe: "a warning" });
  expect(warnings()).toMatchObject([{ rows: "notes" }]);
  await service.sql("ALTER TABLE away RENAME TO notes");
  await service.sql("INSERT INTO notes VALUES ('w', 'old', $1)", [new Date(0)]);
  await waitFor(async () => (await countOf(service, "notes")) === 0, { describe: "no rows" });
});

test("a service without idempotency records and consumers deletes from neither table", async () => {
  await using service = await startNotes({ keepsIdempotencyRecords: false, consumers: {} });
  const old = new Date(0).toISOString();
  for (const { insert } of tables) await service.sql(insert, [old, 1]);
  await waitFor(async () => (await countOf(service, "notes")) === 0, { describe: "its own rows to be deleted" });
  await untilPurged(service);
  expect(await countOf(service, "idempotency_records")).toBe(1);
  expect(await countOf(service, "consumed_events")).toBe(1);
});
