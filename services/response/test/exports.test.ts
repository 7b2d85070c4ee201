import { insertJob } from "@canvass/jobs";
import { inTransaction, sqlFromPg } from "@canvass/postgres";
import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { exportKind } from "../src/application/exports/exports.ts";
import { readExportOptions } from "../src/domain/exports/export-options.ts";
import { expireExportsOf, insertExport } from "../src/storage/exports/exports.ts";
import { fill, startExportHarness, type ExportHarness } from "./export-harness.ts";
import { holdParts, rowsInPart } from "./hold-parts.ts";
import { ratingQuestion, surveyId, testId, workspaceId } from "./harness.ts";
import { readSav } from "./read-sav.ts";

const elementIds = [testId("a"), testId("b")];
const threeParts = 2.5 * rowsInPart;
const pages = () => [[ratingQuestion("a"), ratingQuestion("b")]];
const other = { workspaceId: "workspace2000000" };

test("an export has the selected respondents, and tests and unfinished ones only on request", async () => {
  await using harness = await startExportHarness(pages());
  const { sql, rows } = harness;
  await fill(sql, { respondents: 4, elementIds });
  const change = (number: number, columns: string) =>
    sql(`UPDATE respondents SET ${columns} WHERE respondent_id = lpad($1, 16, '0')`, [String(number)]);
  await change(1, "completed_at = NULL");
  await change(2, "is_test = true");
  await change(3, "started_at = '2026-03-01T10:00:00Z', distributor_id = 'link100000000000'");
  await sql(
    `INSERT INTO respondents (workspace_id, survey_id, respondent_id, version_id, version_number, is_test,
    is_anonymous, started_at, last_seen_at) VALUES ($1, $2, $3, $4, 1, false, false, '2026-03-01T12:00:00Z', now())`,
    [workspaceId, surveyId, testId("unanswered"), testId("version1")],
  );
  const numbersOf = async (body: object) => (await rows(body)).map((row) => Number(row["Respondent"]));
  expect(await numbersOf({})).toEqual([3, 4]);
  expect(await numbersOf({ includePartial: true })).toEqual([1, 3, 4]);
  expect(await numbersOf({ includeTest: true })).toEqual([2, 3, 4]);
  expect(await numbersOf({ from: "2026-03-01T11:00:00Z" })).toEqual([4]);
  expect(await numbersOf({ to: "2026-03-01T12:00:00+01:00" })).toEqual([3]);
  expect(await numbersOf({ distributorIds: ["link100000000000"] })).toEqual([3]);
  const [row] = await rows({ elementIds: [testId("b")], labels: "both", timeZone: "America/New_York" });
  expect(row).toEqual({
    "Respondent [respondentId]": "0000000000000003",
    "Status [status]": "Completed [completed]",
    "Started at [startedAt]": "2026-03-01T05:00:00.000-05:00",
    "Completed at [completedAt]": "2026-03-01T07:05:00.000-05:00",
    "Version [versionNumber]": 1,
    "Language [language]": null,
    "Link [distributorId]": "link100000000000",
    "Contact [contactId]": null,
    "Metadata [metadata]": null,
    [`b [${testId("qb")}]`]: 6,
  });
});

test("columns are named after questions: in Parquet and SPSS files, in headings where that is asked for, in answers", async () => {
  const choices = [
    { id: testId("red"), text: "Red", code: "10", retired: false },
    { id: testId("blue"), text: "Blue", code: "-1", retired: false },
  ];
  const typeSettings = { multipleAnswers: false };
  const colour = { ...ratingQuestion("a"), name: "colour", type: 4, typeSettings, choices };
  await using harness = await startExportHarness([[colour, ratingQuestion("b")]]);
  const respondentId = await harness.start();
  const responses = [
    { elementId: testId("a"), value: testId("blue") },
    { elementId: testId("b"), value: 3 },
  ];
  await harness.submit({ respondentId, responses });
  const [row] = await harness.rows({ headings: "names" });
  expect(row).toMatchObject({ respondentId, status: "Completed", colour: "Blue", [`q_${testId("qb")}`]: 3 });
  expect((await harness.rows({ headings: "both" }))[0]).toMatchObject({
    "a [colour]": "Blue",
    "Status [status]": "Completed",
  });
  const fileOf = async (body: object) => {
    const exportId = await harness.create(body);
    await harness.untilEnded(exportId);
    return harness.download(await harness.createDownloadToken(exportId));
  };
  const sav = await readSav(await fileOf({ format: "sav" }));
  expect(sav.variables.slice(9)).toEqual([
    {
      name: "colour",
      label: "a",
      values: [
        [-1, "Blue"],
        [10, "Red"],
      ],
    },
    { name: `q_${testId("qb")}`, label: "b", values: [] },
  ]);
  expect(sav.rows[0]!.slice(9)).toEqual([-1, 3]);
  const parquet = await fileOf({ format: "parquet", elementIds: [testId("a")] });
  const [read] = await parquetReadObjects({ file: new Uint8Array(parquet).buffer });
  expect(read).toMatchObject({ respondentId, colour: "Blue" });
  const { answers } = await harness.client.listAnswers({ filter: { surveyId }, limit: 100, page: 1 }, harness.as());
  expect(answers.map(({ elementId, name }) => [elementId, name])).toEqual([
    [testId("a"), "colour"],
    [testId("b"), ""],
  ]);
});

test("an export has only the days of anonymous respondents", async () => {
  await using harness = await startExportHarness(pages());
  harness.survey.settings = { privacy: { anonymity: "full" } };
  harness.clock.set("2026-03-01T23:30:00Z");
  const respondentId = await harness.start();
  await harness.submit({
    respondentId,
    responses: [{ elementId: testId("a"), value: 2 }],
    metadata: { complete: false },
  });
  harness.clock.advance(60_000);
  const [row] = await harness.rows({ includePartial: true, timeZone: "Europe/Berlin" });
  expect(row).toMatchObject({ "Started at": "2026-03-02", "Completed at": null, a: 2 });
  await harness.submit({ respondentId, responses: [{ elementId: testId("b"), value: 3 }] });
  const [finished] = await harness.rows({ timeZone: "America/New_York" });
  expect(finished).toMatchObject({ "Started at": "2026-03-02", "Completed at": "2026-03-02", a: 2, b: 3 });
});

test("a request is refused with all its violations; absent and foreign exports and surveys are not found", async () => {
  await using harness = await startExportHarness(pages());
  const violations = {
    format: "pdf",
    labels: "none",
    headings: "ids",
    from: "yesterday",
    to: 5,
    elementIds: [],
    timeZone: "+01:00",
    surprise: 1,
  };
  expect(await refusal(harness.create(violations))).toMatchObject({
    code: "validation_failed",
    details: {
      format: [expect.any(String)],
      labels: ["must be ids, labels or both"],
      headings: ["must be texts, names or both"],
      from: ["must be a date-time such as 2026-01-31T09:00:00Z"],
      to: ["must be a date-time such as 2026-01-31T09:00:00Z"],
      elementIds: [expect.any(String)],
      timeZone: ["must be an IANA time zone such as Europe/Berlin"],
      surprise: [expect.any(String)],
    },
  });
  expect(await refusal(harness.create({ elementIds: [testId("a"), testId("never")] }))).toMatchObject({
    code: "validation_failed",
    details: { "elementIds.1": ["must be an element that the survey collects or has collected"] },
  });
  const exportId = await harness.create({});
  await harness.untilEnded(exportId);
  for (const id of [exportId, testId("never"), "x"]) {
    const stranger = harness.exports.getExport({ exportId: id }, harness.as(other));
    expect(await refusal(stranger)).toMatchObject({ code: "export_not_found" });
  }
  // As if there had never been one.
  harness.survey.found = false;
  await harness.sql("TRUNCATE collecting_surveys");
  expect(await refusal(harness.create({}))).toMatchObject({ code: "survey_not_found" });
});

test("the address of a file is refused when it is changed, late, or of an export without a file", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: 3, elementIds });
  const exportId = await harness.create({ format: "csv" });
  await harness.untilEnded(exportId);
  const token = await harness.createDownloadToken(exportId);
  const refused = async (downloadToken: string) => [
    (await refusal(harness.download(downloadToken)))?.code,
    (await refusal(harness.exports.getDownload({ downloadToken })))?.code,
  ];
  const never = ["export_not_found", "export_not_found"];
  expect((await harness.download(token)).toString().split("\r\n")).toHaveLength(5);
  const { sizeBytes, fileName, workspaceId: ownerId } = await harness.exports.getDownload({ downloadToken: token });
  expect([fileName, ownerId]).toEqual([`responses-${surveyId}-2026-03-01.csv`, workspaceId]);
  expect(Number(sizeBytes)).toBe((await harness.download(token)).length);
  for (let at = 0; at < token.length; at += 7) {
    const changed = token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
    expect(await refused(changed)).toEqual(never);
  }
  for (const wrong of ["", "x", `${token}A`, token.slice(0, -1)]) expect(await refused(wrong)).toEqual(never);
  harness.clock.advance(15 * 60_000 - 1);
  expect((await harness.download(token)).length).toBeGreaterThan(100);
  harness.clock.advance(1);
  expect(await refused(token)).toEqual(never);
  const late = await harness.createDownloadToken(exportId);
  await harness.exports.deleteExport({ exportId }, harness.as());
  expect(await refused(late)).toEqual(never);
});

test("after 24 hours an export is expired and its files are gone", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: 3, elementIds });
  const exportId = await harness.create({});
  await harness.untilEnded(exportId);
  harness.clock.advance(24 * 3_600_000 - 1);
  expect((await harness.read(exportId)).status).toBe("completed");
  harness.clock.advance(1);
  expect((await harness.read(exportId)).status).toBe("expired");
  expect(await refusal(harness.createDownloadToken(exportId))).toMatchObject({
    code: "export_not_ready",
    details: { status: "expired" },
  });
  // Deleting another one wakes the cleaner.
  const next = await harness.create({});
  await harness.untilEnded(next);
  await harness.exports.deleteExport({ exportId: next }, harness.as());
  await waitFor(async () => (await harness.files()).length === 0, { describe: "no files" });
  expect((await harness.read(next)).status).toBe("expired");
});

test("a running export is cancelled, and nothing of it stays", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: threeParts, elementIds });
  const held = await holdParts(harness, 1);
  const exportId = await harness.create({ format: "xlsx" });
  await held.untilHeld();
  expect((await harness.files()).length).toBeGreaterThan(0);
  const cancelling = harness.exports.deleteExport({ exportId }, harness.as());
  // It waits for the export's row.
  const waiting = `SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%cancel_requested = true%' AND datname = current_database()`;
  await waitFor(async () => (await harness.sql(waiting)).length === 1, { describe: "the cancellation" });
  await held.release();
  expect((await cancelling).export!.status).toBe("cancelled");
  const outcome = async () =>
    (await harness.sql<{ outcome: string | null }>(`SELECT outcome FROM jobs WHERE job_id = $1`, [exportId]))[0]!
      .outcome;
  await waitFor(async () => (await outcome()) === "cancelled", { describe: "the end of the job" });
  await harness.exports.deleteExport({ exportId }, harness.as());
  await waitFor(async () => (await harness.files()).length === 0, { describe: "no files" });
  expect((await harness.read(exportId)).status).toBe("cancelled");
});

test("an export that is cancelled while its file is completed ends as the response says", async () => {
  await using harness = await startExportHarness(pages());
  const { sql, pool } = harness;
  await fill(sql, { respondents: 10, elementIds });
  const lock = 8;
  await sql(
    `CREATE FUNCTION hold_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_advisory_xact_lock_shared(${lock}); RETURN NEW;
     END $$`,
  );
  await sql("CREATE TRIGGER held BEFORE UPDATE OF completed_at ON exports FOR EACH ROW EXECUTE FUNCTION hold_end()");
  const holder = await pool.connect();
  await holder.query(`SELECT pg_advisory_lock(${lock})`);
  const waiting = (query: string) =>
    sql(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`%${query}%`],
    );
  const exportId = await harness.create({});
  await waitFor(async () => (await waiting("UPDATE exports SET row_count")).length === 1, { describe: "its end" });
  let isAnswered = false;
  const cancelling = harness.exports.deleteExport({ exportId }, harness.as()).finally(() => (isAnswered = true));
  await waitFor(async () => isAnswered || (await waiting("cancel_requested = true")).length === 1, {
    describe: "the cancellation",
  });
  await holder.query(`SELECT pg_advisory_unlock(${lock})`);
  holder.release();
  const told = (await cancelling).export!.status;
  const running = "SELECT FROM jobs WHERE outcome IS NULL";
  await waitFor(async () => (await sql(running)).length === 0, { describe: "the end of the job" });
  expect((await harness.read(exportId)).status).toBe(told);
  await waitFor(async () => (await harness.files()).length === 0, { describe: "no files" });
});

test("an erasure deletes finished exports, and restarts running ones", async () => {
  await using harness = await startExportHarness(pages());
  const { sql, clock } = harness;
  await fill(sql, { respondents: threeParts, elementIds });
  const finished = await harness.create({ from: "2030-01-01T00:00:00Z" });
  await harness.untilEnded(finished);
  const held = await holdParts(harness, 1);
  const running = await harness.create({});
  await held.untilHeld();
  const erased = await inTransaction(harness.pool, async (transaction) => {
    await transaction.query(`DELETE FROM respondents WHERE respondent_id = lpad('7', 16, '0')`);
    return expireExportsOf(transaction, { workspaceId, surveyId }, clock.now());
  });
  expect(erased).toBe(1);
  expect((await harness.read(finished)).status).toBe("expired");
  await held.release();
  expect(await harness.untilEnded(running)).toMatchObject({ status: "completed", rowCount: BigInt(threeParts - 1) });
  const text = (await harness.download(await harness.createDownloadToken(running))).toString();
  expect(text.split("\n")).toHaveLength(threeParts);
  expect(text).not.toContain("0000000000000007");
  expect((await harness.files()).filter(({ parentPath }) => parentPath.endsWith("/r0"))).toHaveLength(1);
});

test("an export that is requested during an erasure does not contain the erased respondent", async () => {
  await using harness = await startExportHarness(pages());
  const { sql, client, as, pool } = harness;
  const { respondent } = await client.startRespondent({ surveyId, bodyJson: "{}" }, as());
  const { respondentId } = respondent!;
  await harness.submit({ respondentId, responses: [{ elementId: testId("a"), value: 4 }] });
  const waiting = (what: string) =>
    sql(
      `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
      [`%${what}%`],
    );
  // The erasure has deleted the rows, and waits for a counter.
  const holder = await pool.connect();
  await holder.query("BEGIN; LOCK TABLE survey_counters IN EXCLUSIVE MODE");
  const erasing = client.eraseRespondent({ surveyId, respondentId }, as());
  await waitFor(async () => (await waiting("survey_counters")).length > 0, { describe: "the erasure in its middle" });
  let isCreated = false;
  const creating = harness.create({ includePartial: true }).finally(() => (isCreated = true));
  await waitFor(async () => isCreated || (await waiting("export erasures")).length > 0, { describe: "the export" });
  if (isCreated) await harness.untilEnded(await creating);
  await holder.query("COMMIT");
  holder.release();
  await erasing;
  const exportId = await creating;
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed", rowCount: 0n });
});

test("a running export shows nobody who is erased while it runs, however often, and its file is deleted in time", async () => {
  await using harness = await startExportHarness(pages());
  const { sql } = harness;
  await fill(sql, { respondents: 30_000, elementIds });
  const running = await harness.create({});
  const erased = [3, 5, 8].map((number) => String(number).padStart(16, "0"));
  for (const respondentId of erased) {
    const { revision } = (
      await sql<{ revision: number }>("SELECT revision FROM exports WHERE export_id = $1", [running])
    )[0]!;
    await waitFor(async () => (await partsOf(harness, running, revision)) > 0, { describe: "a part" });
    await harness.client.eraseRespondent({ surveyId, respondentId }, harness.as());
    // Deleting an export wakes the cleaner; here it does it twice.
    await harness.exports.deleteExport({ exportId: await harness.create({}) }, harness.as());
    await waitFor(
      async () =>
        (await sql("SELECT FROM exports WHERE files_deleted_at IS NULL AND export_id <> $1", [running])).length === 0,
      { describe: "the cleaner" },
    );
  }
  expect(await harness.untilEnded(running)).toMatchObject({ status: "completed", rowCount: 29_997n });
  const text = (await harness.download(await harness.createDownloadToken(running))).toString();
  for (const respondentId of erased) expect(text).not.toContain(respondentId);
  const waking = await harness.create({});
  await harness.untilEnded(waking);
  harness.clock.advance(24 * 3_600_000);
  await harness.exports.deleteExport({ exportId: waking }, harness.as());
  await waitFor(async () => (await harness.files()).length === 0, { describe: "no files" });
});

/** Parts that a revision has. */
async function partsOf(harness: ExportHarness, exportId: string, revision: number): Promise<number> {
  const files = await harness.files();
  return files.filter(({ parentPath }) => parentPath.includes(`${exportId}/r${revision}`)).length;
}

test("what an erasure outdates is deleted, also a file that a killed run finished", async () => {
  await using harness = await startExportHarness(pages());
  const { sql, clock, folder } = harness;
  await fill(sql, { respondents: threeParts, elementIds });
  const held = await holdParts(harness, 1);
  const running = await harness.create({});
  await held.untilHeld();
  const outdated = join(folder, "exports", workspaceId, running, "r0");
  await writeFile(join(outdated, "responses.ndjson"), "the erased");
  await inTransaction(harness.pool, (transaction) =>
    expireExportsOf(transaction, { workspaceId, surveyId }, clock.now()),
  );
  await held.release();
  expect(await harness.untilEnded(running)).toMatchObject({ status: "completed" });
  expect((await harness.files()).filter(({ parentPath }) => parentPath.startsWith(outdated))).toEqual([]);
});

test("what a run that was killed before its first checkpoint wrote is deleted, too, once an erasure outdates it", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: 3, elementIds });
  const sql = sqlFromPg(harness.pool);
  const [exportId, now] = [testId("killed"), harness.clock.now()];
  const left = join(harness.folder, "exports", workspaceId, exportId, "r0", "parts");
  await mkdir(left, { recursive: true });
  await writeFile(join(left, "part"), "the erased");
  await insertExport(
    sql,
    { workspaceId, surveyId, exportId, options: readExportOptions({ format: "csv" }, "UTC") },
    now,
  );
  await expireExportsOf(sql, { workspaceId, surveyId }, now);
  await insertJob(sql, { workspaceId, jobId: exportId, kind: exportKind(3), input: { expectedRows: 3 } }, now);
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed", rowCount: 3n });
  expect((await harness.files()).map(({ parentPath }) => parentPath.slice(-3))).toEqual(["/r1"]);
});

test("respondents who wrote megabytes are exported", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: 40, elementIds });
  // A hundred elements that are long gone hold two megabytes of each respondent; one holds 24.
  const gone = "SELECT jsonb_object_agg('gone' || n, repeat('x', $1::int)) FROM generate_series(1, 100) AS n";
  await harness.sql(`UPDATE answer_sets SET answers = answers || (${gone})`, [20_000]);
  await harness.sql(
    `UPDATE answer_sets SET answers = answers || (${gone}) WHERE respondent_id = lpad('9', 16, '0')`,
    [240_000],
  );
  const exportId = await harness.create({ format: "csv" });
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed", rowCount: 40n });
});

test("without storage an export is tried again, then fails with its reason, and no file is offered", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: 3, elementIds });
  await writeFile(join(harness.folder, "exports"), "in the way of the folder");
  const exportId = await harness.create({});
  const jobOf = async () =>
    (
      await harness.sql<{ attempts: number; error: string }>(`SELECT attempts, error FROM jobs WHERE job_id = $1`, [
        exportId,
      ])
    )[0]!;
  await waitFor(async () => (await jobOf()).error !== null, { describe: "the first failure" });
  expect((await harness.read(exportId)).status).toBe("processing");
  // The seventh of eight runs. The lane looks again within five seconds.
  await harness.sql(`UPDATE jobs SET attempts = 7, due_at = created_at WHERE job_id = $1`, [exportId]);
  const failed = await harness.untilEnded(exportId);
  expect(failed).toMatchObject({ errorCode: "service_unavailable", rowCount: 0n });
  expect((await jobOf()).attempts).toBe(8);
  expect(await refusal(harness.createDownloadToken(exportId))).toMatchObject({
    code: "export_not_ready",
    details: { status: "failed" },
  });

  await rm(join(harness.folder, "exports"));
  expect(await harness.untilEnded(await harness.create({}))).toMatchObject({ status: "completed", rowCount: 3n });
});

test("an export whose thread fails continues after its last part", async () => {
  await using harness = await startExportHarness(pages());
  // More than the thread reads ahead.
  const respondents = 6 * rowsInPart;
  await fill(harness.sql, { respondents, elementIds });
  const held = await holdParts(harness, 1);
  const exportId = await harness.create({});
  await held.untilHeld();
  const locker = await harness.pool.connect();
  await locker.query("BEGIN; LOCK TABLE answer_sets");
  await held.release();
  const reading = `SELECT pid FROM pg_stat_activity WHERE application_name = 'canvass-export'
    AND wait_event_type = 'Lock' AND datname = current_database()`;
  await waitFor(async () => (await harness.sql(reading)).length === 1, { describe: "the thread to read on" });
  const broken = await harness.sql(`SELECT pg_terminate_backend(pid) FROM (${reading}) AS reading`);
  expect(broken).toHaveLength(1);
  await locker.query("COMMIT");
  locker.release();
  const failed = async () => (await harness.sql("SELECT FROM jobs WHERE error IS NOT NULL")).length === 1;
  await waitFor(failed, { describe: "the failed run" });
  harness.clock.advance(1_000);
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed", rowCount: BigInt(respondents) });
  const lines = (await harness.download(await harness.createDownloadToken(exportId))).toString().trimEnd().split("\n");
  expect(new Set(lines.map((line) => (JSON.parse(line) as { Respondent: string }).Respondent)).size).toBe(respondents);
});

test("another workspace's small export does not wait for a large one, and a workspace's queue is bounded", async () => {
  await using harness = await startExportHarness(pages());
  await fill(harness.sql, { respondents: 6 * rowsInPart, elementIds });
  harness.survey.others.add("survey2000000000");
  const large = await harness.create({ format: "xlsx" });
  const more = [];
  for (let count = 0; count < 10; count += 1) more.push(await harness.create({ format: "xlsx" }));
  expect(await refusal(harness.create({}))).toMatchObject({ code: "rate_limited", details: { waiting_exports: 10 } });
  // An export that waits with a part also holds what counts the files of its workspace.
  const held = await holdParts(harness, 1);
  await held.untilHeld();
  const asOther = harness.as(other);
  const body = { surveyId: "survey2000000000", bodyJson: JSON.stringify({ format: "csv" }) };
  const { export: small } = await harness.exports.createExport(body, asOther);
  expect((await harness.untilEnded(small!.exportId, other)).status).toBe("completed");
  expect((await harness.read(large)).status).toBe("processing");
  await held.release();
  for (const exportId of [large, ...more]) await harness.exports.deleteExport({ exportId }, harness.as());
});
