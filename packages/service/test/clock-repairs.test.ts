import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startNotes } from "./note-service.ts";

const HOUR = 3_600_000;

test("times are repaired at the start and after the clock was set back, but not while it runs or jumps forward", async () => {
  const repaired: Date[] = [];
  let fails = true;
  const repair = async (_: unknown, now: Date) => {
    repaired.push(now);
    if (fails) throw new Error("the database is away");
  };
  let seen = new Date(0);
  const purge = async (_: unknown, now: Date) => {
    seen = now;
    return 0;
  };
  const purges = [{ rows: "notes", keepMs: 0, purge }];
  await using service = await startNotes({ clockRepairs: [{ rows: "notes", repair }], purges });
  const { clock, sql } = service;
  const begun = clock.now();
  const left = async () => (await sql("SELECT 1 FROM poison_events WHERE due_at > $1", [clock.now()])).length;
  await waitFor(() => repaired.length >= 2, { describe: "another try" });
  fails = false;
  clock.advance(HOUR);
  await sql(
    `INSERT INTO poison_events (workspace_id, consumer, event_id, payload, error, attempts, failed_at, due_at, lease_id)
     VALUES ('w', 'c', 'e', '', '', 1, $1, $1::timestamptz + interval '1 minute', 'dead')`,
    [clock.now()],
  );
  expect(await left()).toBe(1);
  await waitFor(() => seen > begun, { describe: "who asks the clock while it is ahead" });
  const { length } = repaired;
  expect(repaired.every((at) => at.getTime() <= begun.getTime() + HOUR)).toBe(true);
  clock.set(begun);
  await waitFor(() => repaired.length > length && repaired.at(-1)!.getTime() === begun.getTime(), {
    describe: "the repair",
  });
  clock.advance(60_000);
  // A dead process' lease on poison is over, too.
  expect(await left()).toBe(0);
});
