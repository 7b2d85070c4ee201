import { waitFor } from "@canvass/testing";
import { once } from "node:events";
import { expect, test } from "vitest";
import { forkService } from "./export-harness.ts";
import { ownLocks, ratingQuestion } from "./harness.ts";
import { startImportHarness } from "./import-harness.ts";

const total = 700;
const patience = { timeoutMs: 60_000 };
/** While the lock is held, a job that has stored 200 rows waits before its next chunk. */
const lock = 7;
const hold = `
  CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.done > 200 THEN PERFORM pg_advisory_xact_lock_shared(${lock}); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER held BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION hold()`;

test("after kill -9 another process continues after the last chunk, and every row counts once", async () => {
  await using harness = await startImportHarness([[{ ...ratingQuestion("a"), name: "lunch" }]]);
  const { sql } = harness;
  // Other processes have no fixed clock, and purge what is old.
  harness.clock.set(new Date());
  // Only they work on it.
  await sql("ALTER TABLE jobs ADD CONSTRAINT held CHECK (lease_id IS NULL) NOT VALID");
  await harness.queue(`lunch\n${Array.from({ length: total }, (_, n) => (n % 6) + 1).join("\n")}`);
  await harness.stop();
  await sql("ALTER TABLE jobs DROP CONSTRAINT held");
  await sql("UPDATE jobs SET due_at = now(), attempts = 0");
  await sql(hold);
  const holder = await harness.pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [lock]);
  await using first = forkService(harness);
  const waiting = `SELECT pid FROM ${ownLocks} WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`;
  await waitFor(async () => (await sql(waiting, [lock])).length > 0, { describe: "another chunk", ...patience });
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  // The server would go on with what it waits for.
  await sql(`SELECT pg_terminate_backend(pid) FROM (${waiting})`, [lock]);
  await holder.query("SELECT pg_advisory_unlock($1)", [lock]);
  holder.release();
  await sql("DROP TRIGGER held ON jobs");
  expect(await sql("SELECT done FROM jobs")).toEqual([{ done: 200 }]);
  // As if its lease had run out.
  await sql("UPDATE jobs SET due_at = now()");
  await using _second = forkService(harness);
  const outcome = async () => (await sql("SELECT * FROM response_imports"))[0]!;
  await waitFor(async () => (await outcome())["completed_at"], { describe: "the import", ...patience });
  expect(await outcome()).toMatchObject({ total, imported: total, skipped: 0, failed: 0 });
  const counted = "SELECT sum(started)::int AS started, sum(completed)::int AS completed FROM survey_counters";
  expect(await sql(counted)).toEqual([{ started: total, completed: total }]);
  expect(await sql("SELECT count(*)::int AS answers FROM answer_sets")).toEqual([{ answers: total }]);
  expect(await sql("SELECT 1 FROM staged_rows")).toEqual([]);
});
