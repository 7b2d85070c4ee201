import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fill, startExportHarness, type ExportHarness } from "./export-harness.ts";
import { choiceQuestion, definitionOf, ratingQuestion, testId, workspaceId } from "./harness.ts";
import { readSav } from "./read-sav.ts";

const mebi = 1024 * 1024;
const free = { plan: "free" };

/** As if the export's file had so many bytes. */
const resize = (harness: ExportHarness, exportId: string, bytes: number) =>
  harness.sql("UPDATE exports SET size_bytes = $2 WHERE export_id = $1", [exportId, bytes]);

test("while the files of a workspace use all the space of its plan, exports are refused", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("a")] });
  const first = await harness.create({ format: "csv" }, free);
  await harness.untilEnded(first);
  await resize(harness, first, 256 * mebi);
  expect(await refusal(harness.create({}, free))).toMatchObject({
    code: "quota_exceeded",
    details: { limit: 256 * mebi, requested: 256 * mebi + 1, required_plan: "starter", unit: "bytes" },
  });
  const larger = await harness.create({}, { plan: "starter" });
  expect((await harness.untilEnded(larger)).status).toBe("completed");
  await harness.exports.deleteExport({ exportId: first }, harness.as());
  const taken = () => harness.create({}, free).catch(() => undefined);
  const next = await waitFor(taken, { describe: "room" });
  expect((await harness.untilEnded(next)).status).toBe("completed");
});

test("a file beyond the capacity of the plan fails with its reason, and nothing of it stays", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3_000, elementIds: [testId("a")] });
  const first = await harness.create({ from: "2030-01-01T00:00:00Z" }, free);
  await harness.untilEnded(first);
  await resize(harness, first, 256 * mebi - 100_000);
  const failed = await harness.create({ format: "json" }, free);
  expect(await harness.untilEnded(failed)).toMatchObject({ status: "failed", errorCode: "quota_exceeded" });
  const filesOf = async () => (await harness.files()).filter(({ parentPath }) => parentPath.includes(failed));
  // Deleting another one wakes the cleaner.
  await harness.exports.deleteExport({ exportId: first }, harness.as());
  await waitFor(async () => (await filesOf()).length === 0, { describe: "no files" });
});

/** Begins an export that waits with its work until `release`. */
async function beginHeld(harness: ExportHarness, body: object) {
  const client = await harness.pool.connect();
  await client.query("BEGIN; LOCK TABLE answer_sets");
  const exportId = await harness.create(body, free);
  const reading = () =>
    harness.sql(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'canvass-export' AND wait_event_type = 'Lock'`);
  await waitFor(async () => (await reading()).length === 1, { describe: "an export under way" });
  const release = async () => {
    await client.query("COMMIT");
    client.release();
  };
  return { exportId, release };
}

test("concurrent exports share the capacity of the plan, exactly to the byte", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("a")] });
  const first = await harness.create({}, free);
  const { sizeBytes } = await harness.untilEnded(first);
  const runWhile = async (bytes: number) => {
    const { exportId, release } = await beginHeld(harness, {});
    // As if another one had ended meanwhile.
    await resize(harness, first, bytes);
    await release();
    const { status, errorCode } = await harness.untilEnded(exportId);
    await harness.exports.deleteExport({ exportId }, harness.as());
    await resize(harness, first, 0);
    return [status, errorCode];
  };
  expect(await runWhile(256 * mebi - Number(sizeBytes) + 1)).toEqual(["failed", "quota_exceeded"]);
  const files = () => harness.sql("SELECT FROM exports WHERE files_deleted_at IS NULL");
  await waitFor(async () => (await files()).length === 1, { describe: "room" });
  expect(await runWhile(256 * mebi - Number(sizeBytes))).toEqual(["completed", ""]);
});

test("a process that goes on after another one has completed its export deletes no file of it", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("a")] });
  const { exportId, release } = await beginHeld(harness, {});
  // As the other one does while this one is suspended.
  const folder = join(harness.folder, "exports", workspaceId, exportId, "r0");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "responses.ndjson"), "its file");
  await harness.sql("UPDATE exports SET completed_at = now(), revision = 0 WHERE export_id = $1", [exportId]);
  await harness.sql("UPDATE jobs SET lease_id = NULL, due_at = NULL, outcome = 'succeeded' WHERE job_id = $1", [
    exportId,
  ]);
  await release();
  const running = () =>
    harness.sql(`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'canvass-export' AND state <> 'idle'`);
  await waitFor(async () => (await running()).length === 0, { describe: "the end of the first run" });
  const next = await harness.create({}, free);
  await harness.untilEnded(next);
  expect(await readFile(join(folder, "responses.ndjson"), "utf8")).toBe("its file");
});

test("files of exports are deleted although those of one cannot be", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("a")] });
  const create = async () => {
    const exportId = await harness.create({}, free);
    await harness.untilEnded(exportId);
    return exportId;
  };
  const first = await create();
  // One of another workspace, in the place of whose folder is a file.
  const stranger = JSON.stringify({ workspace_id: "stranger00000000", expires_at: "2026-01-01T00:00:00Z" });
  for (const table of ["exports", "jobs"])
    await harness.sql(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(e, $1::jsonb)).* FROM ${table} e
       WHERE $2 IN (to_jsonb(e) ->> 'export_id', to_jsonb(e) ->> 'job_id')`,
      [stranger, first],
    );
  const others = [first, await create(), await create()];
  await writeFile(join(harness.folder, "exports", "stranger00000000"), "");
  for (const exportId of others) await harness.exports.deleteExport({ exportId }, harness.as());
  const left = () => harness.sql("SELECT FROM exports WHERE files_deleted_at IS NULL");
  await waitFor(async () => (await left()).length === 1, { describe: "no exports but that one" });
  expect(await harness.files()).toHaveLength(1);
});

test("what a running export has written counts toward the capacity", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("a")] });
  const { exportId, release } = await beginHeld(harness, {});
  const write = (checkpoint: object) =>
    harness.sql("UPDATE jobs SET checkpoint = $2 WHERE job_id = $1", [exportId, JSON.stringify(checkpoint)]);
  const refused = { code: "quota_exceeded", details: { requested: 256 * mebi + 1 } };
  await write({ parts: [{ bytes: 200 * mebi }, { bytes: 56 * mebi }] });
  expect(await refusal(harness.create({}, free))).toMatchObject(refused);
  await write({ parts: [{ bytes: 200 * mebi }], fileBytes: 256 * mebi });
  expect(await refusal(harness.create({}, free))).toMatchObject(refused);
  await release();
  await harness.untilEnded(exportId);
});

test("what a format cannot hold is shown with the export", async () => {
  const text = { ...ratingQuestion("words"), type: 1, typeSettings: {} };
  await using harness = await startExportHarness([[text]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("words")] });
  await harness.sql(
    `UPDATE answer_sets SET answers = jsonb_build_object($1::text, repeat('x', 40000)) WHERE respondent_id = lpad('2', 16, '0')`,
    [testId("words")],
  );
  const warningsOf = async (format: string) => {
    const { warnings } = await harness.untilEnded(await harness.create({ format }));
    return warnings.map(({ code, columnId, count, kept }) => [code, columnId, count, kept]);
  };
  const cut = [["texts_cut", testId("qwords"), 1n, 32_767]];
  expect(await warningsOf("sav")).toEqual(cut);
  expect(await warningsOf("xlsx")).toEqual(cut);
  expect(await warningsOf("csv")).toEqual([]);
});

test("a choice has the same code in every SPSS file, for any order and any exported versions", async () => {
  const colours = (...names: string[]) => definitionOf([[choiceQuestion("colour", names, false)]]);
  await using harness = await startExportHarness([[choiceQuestion("colour", ["red", "blue"], false)]]);
  const answer = async (name: string) => {
    const respondentId = await harness.start();
    const responses = [{ elementId: testId("colour"), value: testId(name) }];
    expect(await harness.submit({ respondentId, responses })).toMatchObject({ status: "completed" });
    return respondentId;
  };
  const exported = async (body: object = {}) => {
    const exportId = await harness.create({ format: "sav", ...body });
    await harness.untilEnded(exportId);
    const { rows, variables } = await readSav(await harness.download(await harness.createDownloadToken(exportId)));
    return { codes: Object.fromEntries(rows.map((row) => [row[0], row.at(-1)])), labels: variables.at(-1)!.values };
  };
  const first = await answer("blue");
  expect(await exported()).toEqual({
    codes: { [first]: 2 },
    labels: [
      [1, "The red"],
      [2, "The blue"],
    ],
  });
  harness.survey.versions.set(2, colours("green", "blue", "red"));
  harness.survey.versionNumber = 2;
  harness.clock.advance(60_000);
  const second = await waitFor(() => answer("green").catch(() => undefined), { describe: "the second version" });
  const both = await exported();
  expect(both.codes).toEqual({ [first]: 2, [second]: 3 });
  // Of the second version alone, in which the order is another.
  const from = harness.clock.now().toISOString();
  expect(await exported({ from })).toMatchObject({ codes: { [second]: 3 } });
  expect(both.labels.map(([, label]) => label)).toEqual(["The red", "The blue", "The green"]);
  expect(await harness.sql("SELECT workspace_id FROM export_codes")).toEqual([{ workspace_id: workspaceId }]);
});

test("a byte order mark is written to csv, and refused for other formats", async () => {
  await using harness = await startExportHarness([[ratingQuestion("a")]]);
  expect(await refusal(harness.create({ format: "json", bom: true, labels: 1 }))).toMatchObject({
    details: { bom: ["goes with the format csv only"], labels: [expect.any(String)] },
  });
  const exportId = await harness.create({ format: "csv", bom: true });
  await harness.untilEnded(exportId);
  const file = await harness.download(await harness.createDownloadToken(exportId));
  expect(file.toString()).toMatch(/^\uFEFFRespondent,/);
  expect(JSON.parse((await harness.read(exportId)).optionsJson)).toMatchObject({ bom: true });
});
