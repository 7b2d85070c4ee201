import { newEvent } from "@canvass/events";
import { auditEntries, refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { parquetReadObjects } from "hyparquet";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import readExcelFile from "read-excel-file/node";
import { expect, test } from "vitest";
import { fill, startExportHarness, type ExportHarness } from "./export-harness.ts";
import { holdParts, rowsInPart } from "./hold-parts.ts";
import { ratingQuestion, testId, workspaceId } from "./harness.ts";
import { dropContact } from "./link-double.ts";
import { readSav } from "./read-sav.ts";

const ann = testId("ann");
const reader = { scopes: ["contacts:read"], permissions: ["contacts:read"] };
const contactFields = ["firstName", "attributes.Team"];
const annsValues = { firstName: "Annabel", "attributes.Team": "Blue", email: "ann@example.org" };

/** Three respondents: the first is a contact, the second a contact that is gone, the third nobody's. */
async function startWithContacts(respondents = 3): Promise<ExportHarness> {
  const harness = await startExportHarness([[ratingQuestion("a")]]);
  await fill(harness.sql, { respondents, elementIds: [testId("a")] });
  await setContact(harness, 1, ann);
  await setContact(harness, 2, testId("gone"));
  harness.links.contactValues.set(ann, annsValues);
  harness.links.contacts.set(testId("gone"), "");
  return harness;
}

function setContact({ sql }: ExportHarness, number: number, contactId: string) {
  return sql(`UPDATE respondents SET contact_id = $2 WHERE respondent_id = lpad($1, 16, '0')`, [
    String(number),
    contactId,
  ]);
}

async function take(harness: ExportHarness, body: object): Promise<Buffer> {
  const exportId = await harness.create({ contactFields, ...body }, reader);
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed" });
  const { downloadToken } = await harness.exports.createDownload({ exportId }, harness.as(reader));
  return harness.download(downloadToken);
}

const rowsOf = (file: Buffer) =>
  file
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("fields of contacts are columns of every format, filled where a respondent is a contact", async () => {
  await using harness = await startWithContacts();
  const headings = ["Contact: First name", "Contact: Team"];
  const expected = [
    ["Annabel", "Blue"],
    [null, null],
    [null, null],
  ];
  const cellsOf = (rows: Record<string, unknown>[]) => rows.map((row) => headings.map((heading) => row[heading]));
  expect(cellsOf(rowsOf(await take(harness, { format: "ndjson" })))).toEqual(expected);
  const json = (await take(harness, { format: "json" })).toString();
  expect(cellsOf(JSON.parse(json) as Record<string, unknown>[])).toEqual(expected);
  const [first, ...lines] = (await take(harness, { format: "csv", labels: "ids" })).toString().split("\r\n");
  expect(first).toContain(",metadata,contact.firstName,contact.attributes.Team,");
  expect(lines.map((line) => line.split(",").slice(9, 11).join())).toEqual(["Annabel,Blue", ",", ",", ""]);
  const [sheet] = await readExcelFile(await take(harness, { format: "xlsx" }));
  const cells = (sheet as unknown as { data?: unknown[][] }).data ?? (sheet as unknown as unknown[][]);
  expect(cells.map((row) => row.slice(9, 11))).toEqual([headings, ...expected]);
  const { variables, rows } = await readSav(await take(harness, { format: "sav" }));
  expect(variables.slice(9, 11)).toMatchObject(headings.map((label) => ({ label })));
  expect(rows[0]!.slice(9, 11)).toEqual(expected[0]);
  expect(variables[9]!.name).toBe("contact_firstName");
  const parquet = Uint8Array.from(await take(harness, { format: "parquet" }));
  const objects = await parquetReadObjects({ file: parquet.buffer });
  expect(objects.map((row) => Object.values(row).slice(9, 11))).toEqual(expected);
  expect(Object.keys(objects[0]!).slice(9, 11)).toEqual(variables.slice(9, 11).map(({ name }) => name));
});

test("contacts are requested page by page, once each, and only of the workspace", async () => {
  await using harness = await startWithContacts(1_200);
  await harness.sql(`UPDATE respondents SET contact_id = $1 WHERE respondent_id > lpad('2', 16, '0')`, [ann]);
  const rows = rowsOf(await take(harness, {}));
  expect(rows.filter((row) => row["Contact: First name"] === "Annabel")).toHaveLength(1_199);
  expect(harness.links.contactsAsked).toBe(3);
  await harness.rows({});
  expect(harness.links.contactsAsked).toBe(3);

  const other = { workspaceId: "workspace2000000", surveyId: "survey2000000000" };
  harness.survey.others.add(other.surveyId);
  await fill(harness.sql, { respondents: 1, elementIds: [testId("a")], ...other });
  await setContact(harness, 1, ann);
  const as = { ...reader, workspaceId: other.workspaceId };
  const request = { surveyId: other.surveyId, bodyJson: JSON.stringify({ format: "ndjson", contactFields }) };
  const { export: queued } = await harness.exports.createExport(request, harness.as(as));
  await harness.untilEnded(queued!.exportId, as);
  const { downloadToken } = await harness.exports.createDownload({ exportId: queued!.exportId }, harness.as(as));
  const [row] = rowsOf(await harness.download(downloadToken));
  expect(row).toMatchObject({ Contact: ann, "Contact: First name": null });
});

test("all violations of the fields are reported, and for an anonymous survey there is one", async () => {
  await using harness = await startWithContacts();
  const wrong = { contactFields: ["email", "shoeSize", "attributes.", "email"], labels: "none" };
  expect(await refusal(harness.create(wrong, reader))).toMatchObject({
    code: "validation_failed",
    details: {
      labels: [expect.any(String)],
      "contactFields.1": [expect.stringMatching(/^must be one of email, .*, or attributes\. and a name$/)],
      "contactFields.2": [expect.any(String)],
    },
  });
  expect(await refusal(harness.create({ contactFields: ["email", "phone", "email"] }, reader))).toMatchObject({
    details: { "contactFields.2": ["is listed twice"] },
  });
  for (const anonymity of ["partial", "full"] as const) {
    harness.survey.settings = { privacy: { anonymity } };
    expect(await refusal(harness.create({ contactFields, elementIds: [testId("never")] }, reader))).toMatchObject({
      code: "validation_failed",
      details: {
        "elementIds.0": [expect.any(String)],
        contactFields: ["must be left out: the survey is anonymous"],
      },
    });
  }
  await harness.create({}, reader);
});

test("only who may read contacts gets their fields, also out of a file that another made", async () => {
  await using harness = await startWithContacts();
  const lacking = { code: "insufficient_scope", details: { required_scope: "contacts:read" } };
  expect(await refusal(harness.create({ contactFields }))).toMatchObject(lacking);
  const withoutRole = { scopes: ["contacts:read"] };
  expect(await refusal(harness.create({ contactFields }, withoutRole))).toMatchObject({ code: "forbidden" });
  const exportId = await harness.create({ contactFields }, reader);
  await harness.untilEnded(exportId);
  expect(await refusal(harness.createDownloadToken(exportId))).toMatchObject(lacking);
  const [entry] = await auditEntries(harness.sql);
  expect(JSON.parse(entry!.afterJson)).toMatchObject({ contactFields: ["firstName", "attributes"] });
});

test("while the distribution service is away an export is tried again", async () => {
  await using harness = await startWithContacts();
  harness.links.contactsAway = true;
  const exportId = await harness.create({ contactFields }, reader);
  const failed = async () => (await harness.sql("SELECT FROM jobs WHERE error = 'service_unavailable'")).length === 1;
  await waitFor(failed, { describe: "the failed run" });
  expect((await harness.read(exportId)).status).toBe("processing");
  harness.links.contactsAway = false;
  harness.clock.advance(60_000);
  expect(await harness.untilEnded(exportId)).toMatchObject({ status: "completed", rowCount: 3n });
});

test("no data of an anonymized contact stays in files, even in one that is being created", async () => {
  await using harness = await startWithContacts(2 * rowsInPart);
  const texts = async () => {
    const files = (await harness.files()).map(({ parentPath, name }) => readFile(join(parentPath, name)));
    return (await Promise.all(files)).map((file) => (file[0] === 0x1f ? gunzipSync(file) : file).toString());
  };
  const finished = await harness.create({ contactFields }, reader);
  await harness.untilEnded(finished);
  const held = await holdParts(harness, 1);
  const running = await harness.create({ contactFields }, reader);
  await held.untilHeld();
  expect((await texts()).filter((text) => text.includes("Annabel"))).toHaveLength(2);
  dropContact(harness.links, ann, "anonymized");
  const body = { case: "contactAnonymized" as const, value: { contactId: ann } };
  const event = newEvent({ workspaceId, occurredAt: harness.clock.now(), source: "distribution", body });
  await harness.handOver([event], "contact-erasures");
  await held.release();
  expect(await harness.untilEnded(running)).toMatchObject({ status: "completed", rowCount: BigInt(2 * rowsInPart) });
  expect((await harness.read(finished)).status).toBe("expired");
  await waitFor(async () => (await texts()).every((text) => !text.includes("Annabel")), {
    describe: "every trace to go",
  });
});
