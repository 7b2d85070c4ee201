import { ExportService } from "@canvass/proto/exports";
import { callOptions } from "@canvass/rpc";
import { waitFor } from "@canvass/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ratingQuestion, startHarness, surveyId, testId } from "./harness.ts";

test("first", async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-exports-"));
  await using harness = await startHarness([[ratingQuestion("a"), ratingQuestion("b")]], { CANVASS_FILES_DIR: folder });
  const respondentId = await harness.start();
  console.log(await harness.submit({ respondentId, responses: [{ elementId: testId("a"), value: 3 }] }));
  const client = harness.service(ExportService);
  const options = callOptions({ signedCaller: harness.signed() });
  harness.clock.set(new Date("2026-03-01T12:00:01Z"));
  const { export: made } = await client.createExport({ surveyId, bodyJson: JSON.stringify({ format: "csv" }) }, options);
  const exportId = made!.exportId;
  await waitFor(async () => {
    const { export: now } = await client.getExport({ exportId }, options);
    return now!.status !== "queued" && now!.status !== "processing" && now;
  }, { describe: "the export" });
  console.log((await client.getExport({ exportId }, options)).export);
  const { downloadToken } = await client.createDownload({ exportId }, options);
  console.log(Buffer.concat((await Array.fromAsync(client.streamDownload({ downloadToken }))).map(({ piece }) => piece)).toString());
  await rm(folder, { recursive: true });
}, 60_000);
