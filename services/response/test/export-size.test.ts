import { exportFormats } from "@canvass/inputs";
import { expect, test } from "vitest";
import { fill, startExportHarness, type ExportHarness } from "./export-harness.ts";
import { ratingQuestion, testId } from "./harness.ts";

const names = Array.from({ length: 25 }, (_, index) => `q${String(index).padStart(2, "0")}x`);
const elementIds = names.map((name) => testId(name));
const mebi = 1024 * 1024;

/** Runs an export and returns its time and the most memory that the process took meanwhile. */
async function measure(harness: ExportHarness, body: object) {
  const started = performance.now();
  let peak = 0;
  const sample = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
  const exportId = await harness.create(body);
  const done = await harness.ended(exportId);
  clearInterval(sample);
  return { done, seconds: (performance.now() - started) / 1000, peak: peak / mebi };
}

test("a million answers take no more memory than a tenth of them, and less than 40 seconds, in every format", async () => {
  await using harness = await startExportHarness([names.map((name) => ratingQuestion(name))]);
  await fill(harness.sql, { respondents: 40_000, elementIds });
  const from = "2026-03-01T12:30:00Z";
  await harness.sql(`UPDATE respondents SET started_at = $1 WHERE respondent_id <= lpad('4000', 16, '0')`, [from]);
  for (const format of exportFormats) {
    const small = await measure(harness, { format, from });
    expect(small.done).toMatchObject({ status: "completed", rowCount: 4_000n });
    const large = await measure(harness, { format });
    expect(large.done).toMatchObject({ status: "completed", rowCount: 40_000n });
    const figures = { format, isQuick: large.seconds < 40, isFlat: large.peak - small.peak < 150 };
    // A thread's young objects and a row group; the answers are 50 MiB as they are collected.
    expect(figures).toEqual({ format, isQuick: true, isFlat: true });
  }
}, 300_000);
