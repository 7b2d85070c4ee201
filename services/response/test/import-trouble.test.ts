import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ownLocks, ratingQuestion, surveyId } from "./harness.ts";
import { startImportHarness, type ImportHarness } from "./import-harness.ts";

let harness: ImportHarness;
beforeAll(async () => {
  harness = await startImportHarness([[{ ...ratingQuestion("a"), name: "lunch" }]]);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(async () => {
  await harness.sql("DROP TRIGGER IF EXISTS troubled ON jobs");
  await harness.sql(`TRUNCATE respondents, answer_sets, survey_counters, question_counters, bucket_counters, start_days,
    number_counters, completion_slots, activity_slots, outbox_events, response_imports, staged_rows, jobs`);
});

const total = 700;
const file = `externalId,lunch\n${Array.from({ length: total }, (_, n) => `r${n},${(n % 6) + 1}`).join("\n")}`;
const lock = 11;

/** Runs a statement whenever a job is about to store more than 200 rows. */
async function trouble(statement: string): Promise<void> {
  await harness.sql(`CREATE OR REPLACE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.done > 200 THEN ${statement}; END IF; RETURN NEW; END $$`);
  await harness.sql("CREATE TRIGGER troubled BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION trouble()");
}
const fullDisk = "RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no space left on device'";

async function jobOf(importId: string) {
  const asked = "SELECT attempts, lease_id IS NOT NULL AS leased FROM jobs WHERE job_id = $1";
  return (await harness.sql<{ attempts: number; leased: boolean }>(asked, [importId]))[0]!;
}

const runFailed = (importId: string, run: number) =>
  waitFor(
    async () => {
      const { attempts, leased } = await jobOf(importId);
      return attempts === run && !leased;
    },
    { describe: `the end of run ${run}`, timeoutMs: 60_000 },
  );

/** Starts the next run: another import makes the lanes look at the clock. */
async function goOn(): Promise<void> {
  harness.clock.advance(120_000);
  await harness.importFile("lunch,status\n,started");
}

const counted = async () => {
  const [row] = await harness.sql<{ completed: number; answers: number }>(
    `SELECT count(*) FILTER (WHERE completed_at IS NOT NULL)::int AS completed,
       (SELECT count(*)::int FROM answer_sets) AS answers FROM respondents`,
  );
  return row!;
};

test("an import that meets a full disk resumes once there is space", async () => {
  await trouble(fullDisk);
  const { importId } = await harness.queue(file);
  await runFailed(importId, 1);
  expect(await counted()).toEqual({ completed: 200, answers: 200 });
  await harness.sql("DROP TRIGGER troubled ON jobs");
  await goOn();
  expect(await harness.untilEnded(importId)).toMatchObject({
    status: "completed",
    imported: total,
    skipped: 0,
    failed: 0,
  });
  expect(await counted()).toEqual({ completed: total, answers: total });
  expect(await harness.verifyResults()).toEqual([]);
});

test("an import that never gets space fails with the reason, keeps whole rows, and the file sent again brings the others", async () => {
  await trouble(fullDisk);
  const { importId } = await harness.queue(file);
  for (let run = 1; run < 8; run += 1) {
    await runFailed(importId, run);
    await goOn();
  }
  expect(await harness.untilEnded(importId)).toMatchObject({
    status: "failed",
    errorCode: "service_unavailable",
    total,
    imported: 200,
    failed: 0,
  });
  expect(await counted()).toEqual({ completed: 200, answers: 200 });
  expect(await harness.verifyResults()).toEqual([]);
  await harness.sql("DROP TRIGGER troubled ON jobs");
  expect(await harness.importFile(file)).toMatchObject({ status: "completed", imported: 500, skipped: 200 });
  expect(await counted()).toEqual({ completed: total, answers: total });
  expect(await harness.verifyResults()).toEqual([]);
});

test("a respondent who is erased while an import runs stays erased, and the rest is counted once", async () => {
  await trouble(`PERFORM pg_advisory_xact_lock_shared(${lock})`);
  const holder = await harness.pool.connect();
  await holder.query("SELECT pg_advisory_lock($1)", [lock]);
  const { importId } = await harness.queue(file);
  const waiting = `SELECT pid FROM ${ownLocks} WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`;
  await waitFor(async () => (await harness.sql(waiting, [lock])).length > 0, { describe: "a chunk that waits" });
  const [{ respondentId }] = (await harness.sql<{ respondentId: string }>(
    `SELECT respondent_id AS "respondentId" FROM respondents WHERE external_id = 'r7'`,
  )) as [{ respondentId: string }];
  await harness.client.eraseRespondent({ surveyId, respondentId }, harness.as());
  await holder.query("SELECT pg_advisory_unlock($1)", [lock]);
  holder.release();
  expect(await harness.untilEnded(importId)).toMatchObject({ status: "completed", imported: total, failed: 0 });
  expect(await counted()).toEqual({ completed: total - 1, answers: total - 1 });
  expect(await harness.verifyResults()).toEqual([]);
});
