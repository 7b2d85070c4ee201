import { insertJob } from "@canvass/jobs";
import { sqlFromPg } from "@canvass/postgres";
import { waitFor } from "@canvass/testing";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportKinds } from "../src/application/exports/exports.ts";
import { findExport, insertExport } from "../src/storage/exports/exports.ts";
import { fill, forkService, startExportHarness } from "./export-harness.ts";
import { holdParts, rowsInPart } from "./hold-parts.ts";
import { ratingQuestion, surveyId, testId, workspaceId } from "./harness.ts";

const names = ["a", "b", "c", "d"];
const respondents = 5 * rowsInPart;

const patience = { timeoutMs: 60_000 };
test("after kill -9 another process continues after the last part, and no part is written again", async () => {
  await using harness = await startExportHarness([names.map((name) => ratingQuestion(name))]);
  const sql = sqlFromPg(harness.pool);
  await harness.stop();
  await fill(harness.sql, { respondents, elementIds: names.map((name) => testId(name)) });
  const exportId = "export1000000000";
  const now = new Date();
  const options = {
    format: "csv",
    labels: "labels",
    bom: false,
    includePartial: false,
    includeTest: false,
    from: null,
    to: null,
    elementIds: null,
    distributorIds: null,
    timeZone: "UTC",
  } as const;
  await insertExport(sql, { workspaceId, surveyId, exportId, options }, now);
  const input = { expectedRows: respondents };
  await insertJob(sql, { workspaceId, jobId: exportId, kind: exportKinds.large, input }, now);

  const parts = async () =>
    (
      await sql.query<{ keys: string[] }>(
        `SELECT ARRAY(SELECT jsonb_array_elements(checkpoint -> 'parts') ->> 'key') AS keys FROM jobs`,
      )
    )[0]!.keys;
  const held = await holdParts(harness, 2);
  await using first = forkService(harness);
  await held.untilHeld();
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  await held.breakOff();
  await held.release();
  const before = await parts();
  expect(before).toHaveLength(2);
  const inodes = async (keys: string[]) =>
    Promise.all(keys.map(async (key) => (await stat(join(harness.folder, key))).ino));
  const written = await inodes(before);
  // As if its lease had run out.
  await sql.query(`UPDATE jobs SET due_at = now()`);

  await using _second = forkService(harness);
  await waitFor(async () => (await parts()).length > before.length, { describe: "more parts", ...patience });
  const later = await parts();
  expect(later.slice(0, before.length)).toEqual(before);
  expect(await inodes(before)).toEqual(written);
  const ref = { workspaceId, exportId };
  await waitFor(async () => (await findExport(sql, ref))!.completedAt, { describe: "the file", ...patience });
  const file = join(harness.folder, `exports/${workspaceId}/${exportId}/r0/responses.csv`);
  const ids = (await readFile(file, "utf8"))
    .split("\r\n")
    .slice(1, -1)
    .map((line) => Number(line.slice(0, 16)));
  expect(ids).toEqual(Array.from({ length: respondents }, (_, index) => index + 1));
});
