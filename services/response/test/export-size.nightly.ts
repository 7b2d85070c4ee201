import { exportFormats } from "@canvass/inputs";
import { shortestTime } from "@canvass/testing";
import { expect, test } from "vitest";
import { fill, startExportHarness, type ExportHarness } from "./export-harness.ts";
import { ratingQuestion, testId } from "./harness.ts";

const names = Array.from({ length: 25 }, (_, index) => `q${String(index).padStart(2, "0")}x`);
const elementIds = names.map((name) => testId(name));
const mebi = 1024 * 1024;

/** Runs an export. Returns the most MiB that the process took meanwhile. */
async function peakOf(harness: ExportHarness, body: object, rowCount: bigint) {
  let peak = 0;
  const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const exportId = await harness.create(body);
  const done = await harness.untilEnded(exportId);
  clearInterval(sample);
  expect(done).toMatchObject({ status: "completed", rowCount });
  return peak / mebi;
}

test("a million answers take no more memory than a tenth of them, and less than 40 seconds, in every format", async () => {
  await using harness = await startExportHarness([names.map((name) => ratingQuestion(name))]);
  await fill(harness.sql, { respondents: 40_000, elementIds });
  const from = "2026-03-01T12:30:00Z";
  await harness.sql(`UPDATE respondents SET started_at = $1 WHERE respondent_id <= lpad('4000', 16, '0')`, [from]);
  for (const format of exportFormats) {
    const small = await peakOf(harness, { format, from }, 4_000n);
    let large = 0;
    const measure = async () => {
      const started = performance.now();
      large = await peakOf(harness, { format }, 40_000n);
      return performance.now() - started;
    };
    const isQuick = (await shortestTime(measure, { withinMs: 40_000 })) < 40_000;
    const figures = { format, isQuick, isFlat: large - small < 150 };
    // A thread's young objects and a row group; the answers are 50 MiB as they are collected.
    expect(figures).toEqual({ format, isQuick: true, isFlat: true });
  }
}, 600_000);
