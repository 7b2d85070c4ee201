import { createCursorCodec } from "@canvass/postgres";
import { callOptions } from "@canvass/rpc";
import { auditEntries, idempotency, refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fill, startExportHarness, type ExportHarness } from "./export-harness.ts";
import { ratingQuestion, surveyId, testId, workspaceId } from "./harness.ts";

let harness: ExportHarness;
beforeAll(async () => {
  harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents: 3, elementIds: [testId("a")] });
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.pool.query("TRUNCATE outbox_events, download_links"));

const maker = { personId: testId("maker"), personName: "Mia Maker", tokenId: testId("token9"), tokenName: "exporter" };

/** The audit entries that were published, in order. */
async function audited() {
  return (await auditEntries(harness.sql)).map((entry) => {
    const { action, resourceId, personName, tokenId, beforeJson, afterJson } = entry;
    const states = [beforeJson, afterJson].map((json) => (json ? (JSON.parse(json) as unknown) : null));
    return { action, resourceId, personName, tokenId, before: states[0], after: states[1] };
  });
}

const actions = async () => (await audited()).map(({ action }) => action);
const read = (downloadToken: string, range?: { start: bigint; end: bigint }) =>
  Array.fromAsync(harness.exports.streamDownload({ downloadToken, ...(range && { range }) }));

test("requesting and deleting an export is audited once each, with its content", async () => {
  const options = () =>
    callOptions({ signedCaller: harness.signed(maker), idempotency: idempotency("created", { format: "csv" }) });
  const request = { surveyId, bodyJson: JSON.stringify({ format: "csv", elementIds: [testId("a")] }) };
  const { export: created } = await harness.exports.createExport(request, options());
  await harness.exports.createExport(request, options());
  const { exportId } = created!;
  await harness.untilEnded(exportId);
  for (let times = 0; times < 2; times += 1) await harness.exports.deleteExport({ exportId }, harness.as(maker));
  const { personName, tokenId } = maker;
  const entry = { resourceId: exportId, personName, tokenId };
  expect(await audited()).toEqual([
    {
      ...entry,
      action: "export.created",
      before: null,
      after: expect.objectContaining({ surveyId, format: "csv", elementIds: [testId("a")], includePartial: false }),
    },
    { ...entry, action: "export.deleted", before: { status: "completed" }, after: { status: "expired" } },
  ]);
});

test("a download is audited once, for the person who created its URL; resumed parts are not audited", async () => {
  const exportId = await harness.create({ format: "csv" });
  await harness.untilEnded(exportId);
  await harness.pool.query("TRUNCATE outbox_events");
  const { downloadToken } = await harness.exports.createDownload({ exportId }, harness.as(maker));
  await harness.exports.getDownload({ downloadToken });
  expect(await audited()).toEqual([]);
  await read(downloadToken);
  await read(downloadToken, { start: 10n, end: 20n });
  const { personName, tokenId } = maker;
  const entry = { action: "export.downloaded", resourceId: exportId, personName, tokenId, before: null };
  expect(await audited()).toEqual([{ ...entry, after: { surveyId, format: "csv", rows: 3 } }]);
  await read(downloadToken);
  expect(await actions()).toEqual(["export.downloaded", "export.downloaded"]);
});

test("a download that waits while its export is deleted is refused, and not recorded", async () => {
  const exportId = await harness.create({ format: "csv" });
  await harness.untilEnded(exportId);
  await harness.pool.query("TRUNCATE outbox_events");
  const downloadToken = await harness.createDownloadToken(exportId);
  const other = await harness.pool.connect();
  await other.query("BEGIN; SELECT FROM download_links FOR UPDATE");
  const refused = refusal(read(downloadToken));
  const waiting = `SELECT FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE 'UPDATE download_links%' AND datname = current_database()`;
  await waitFor(async () => (await harness.sql(waiting)).length === 1, { describe: "the download" });
  await harness.exports.deleteExport({ exportId }, harness.as());
  await other.query("COMMIT");
  other.release();
  expect(await refused).toMatchObject({ code: "export_not_found" });
  expect(await actions()).toEqual(["export.deleted"]);
});

test("a token that was issued before links were stored works until it expires, and its download is not audited", async () => {
  const exportId = await harness.create({ format: "csv" });
  await harness.untilEnded(exportId);
  await harness.pool.query("TRUNCATE outbox_events");
  const cursors = createCursorCodec(harness.config.CANVASS_CURSOR_KEY);
  const endsAt = harness.clock.now().getTime() + 15 * 60_000;
  const downloadToken = cursors.encode(["export-download"], [workspaceId, exportId, endsAt]);
  expect(await read(downloadToken)).not.toEqual([]);
  expect(await actions()).toEqual([]);
  harness.clock.advance(15 * 60_000);
  expect(await refusal(read(downloadToken))).toMatchObject({ code: "export_not_found" });
});

test("a range without the first byte counts as a download, too", async () => {
  const exportId = await harness.create({ format: "csv" });
  await harness.untilEnded(exportId);
  await harness.pool.query("TRUNCATE outbox_events");
  const { downloadToken } = await harness.exports.createDownload({ exportId }, harness.as(maker));
  await read(downloadToken, { start: 1n, end: 20n });
  await read(downloadToken, { start: 21n, end: 30n });
  expect(await actions()).toEqual(["export.downloaded"]);
});

test("no audit entry contains anything of a respondent", async () => {
  const exportId = await harness.create({ format: "json", distributorIds: ["link100000000000"] });
  await harness.untilEnded(exportId);
  await read(await harness.createDownloadToken(exportId));
  const { rows } = await harness.pool.query("SELECT encode(payload, 'escape') AS text FROM outbox_events");
  expect(rows).toHaveLength(2);
  for (const { text } of rows) expect(text).not.toMatch(/0000000000000001/);
});
