import { newEvent } from "@canvass/events";
import { FileService } from "@canvass/proto/files";
import { createRpcClient } from "@canvass/rpc";
import { idempotency, refusal, testKeys } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileFolder } from "../src/application/files/files.ts";
import { dropUpload } from "../src/storage/files/deletions.ts";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { answerTo, png, startFileHarness } from "./file-harness.ts";
import { surveyId, testId, workspaceId } from "./harness.ts";
import { dropContact, testCode } from "./link-double.ts";

const tables = [
  "respondents",
  "answer_sets",
  "survey_counters",
  "collecting_surveys",
  "collecting_links",
  "used_links",
  "gone_contacts",
  "uploaded_files",
  "file_totals",
  "idempotency_records",
  "outbox_events",
  "download_links",
];

const harness = await sharedByFile(
  startFileHarness({ CANVASS_FILE_MB: "1", CANVASS_FILES_MB: "2", CANVASS_UNANSWERED_FILES_MB: "1" }),
);
beforeEach(async () => {
  harness.links.links.clear();
  Object.assign(harness.survey, { found: true, active: true, versionNumber: 1, settings: {} });
  harness.clock.set("2026-03-01T13:00:00Z");
  // One by one: work that an earlier test left under way locks tables in its own order.
  for (const table of tables) await harness.pool.query(`TRUNCATE ${table}`);
});

const text = (words: string) => Buffer.from(words);
const total = async () =>
  Number((await harness.sql<{ bytes: string }>("SELECT bytes FROM file_totals"))[0]?.bytes ?? 0);

describe("a file", () => {
  test("is uploaded in chunks, used in an answer, and downloaded unchanged", async () => {
    async function* inChunks() {
      for (let from = 0; from < png.length; from += 7) yield png.subarray(from, from + 7);
    }
    const file = await harness.upload({ name: "cup.PNG" }, inChunks());
    expect(file).toMatchObject({ name: "cup.PNG", sizeBytes: BigInt(png.length), mimeType: "image/png" });
    const respondentId = await harness.start();
    // The caller's own facts about the file are ignored.
    const lie = { fileId: file.fileId, name: "other.exe", size: 1, mimeType: "text/html" };
    const responses = [{ elementId: testId("f"), value: [lie] }];
    expect(await harness.submit({ respondentId, responses })).toMatchObject({ code: "submitted" });
    const stored = { fileId: file.fileId, name: "cup.PNG", size: png.length, mimeType: "image/png" };
    expect(await harness.valueOf(respondentId)).toEqual([stored]);
    expect(await harness.rows()).toMatchObject([{ state: "answered", respondent_id: respondentId, expires_at: null }]);
    const { downloadToken, expiresAt } = await harness.files.createFileDownload({ fileId: file.fileId }, harness.as());
    expect(Number(expiresAt!.seconds)).toBe(Date.parse("2026-03-01T13:15:00Z") / 1000);
    expect(await harness.getDownload(downloadToken)).toMatchObject({
      fileName: "cup.PNG",
      mediaType: "application/octet-stream",
      sizeBytes: BigInt(png.length),
    });
    expect((await harness.download(downloadToken)).equals(png)).toBe(true);
    const events = await harness.sql<{ n: number }>("SELECT count(*)::int AS n FROM outbox_events");
    expect(events[0]!.n).toBeGreaterThan(0);
  });

  test("is unchanged when its answer is repeated, and unused when its answer drops it", async () => {
    harness.survey.settings = { collection: { editAfterSubmit: "always" } };
    const [one, two] = [await harness.upload(), await harness.upload({ name: "b.png" })];
    const respondentId = await harness.start();
    const submit = async (...ids: string[]) =>
      (await harness.submit({ respondentId, responses: [answerTo("f", ...ids)] })).code;
    expect(await submit(one.fileId)).toBe("submitted");
    expect(await submit(one.fileId, two.fileId)).toBe("submitted");
    expect(await submit(two.fileId)).toBe("submitted");
    expect((await harness.rows()).map(({ state }) => state).sort()).toEqual(["answered", "stored"]);
    const taken = { respondentId, responses: [{ elementId: testId("f"), value: null }] };
    expect(await harness.submit(taken)).toMatchObject({ code: "submitted" });
    expect((await harness.rows()).map(({ state }) => state)).toEqual(["stored", "stored"]);
    harness.clock.set("2026-03-02T13:00:01Z");
    const other = await harness.start();
    expect(await harness.submit({ respondentId: other, responses: [answerTo("f", one.fileId)] })).toMatchObject({
      code: "validation_failed",
    });
  });

  test("that is complete stays if its upload is dropped, because the uploader may have missed the commit", async () => {
    const { fileId } = await harness.upload();
    const ref = { workspaceId: "workspace1000000", fileId };
    await dropUpload({ query: harness.sql }, ref, new Date("2026-03-01T13:00:00Z"));
    expect(await harness.rows()).toMatchObject([{ file_id: fileId, state: "stored" }]);
    const responses = [answerTo("f", fileId)];
    expect(await harness.submit({ respondentId: await harness.start(), responses })).toMatchObject({
      code: "submitted",
    });
  });

  test("a file without an answer is deleted after a day, row and bytes", async () => {
    await harness.upload();
    const kept = await harness.upload({ name: "kept.png" });
    const respondentId = await harness.start();
    await harness.submit({ respondentId, responses: [answerTo("f", kept.fileId)] });
    const before = (await harness.contents()).length;
    harness.clock.set("2026-03-02T13:00:01Z");
    await harness.upload({ respondentId: "nobody0000000000" }).catch(() => undefined);
    const cut = harness.upload({}, text("is no picture")).catch(() => undefined);
    await cut;
    await harness.untilFiles(before - 1);
    await waitFor(async () => (await harness.rows()).length === 1, { describe: "one row" });
    expect(await total()).toBe(png.length);
  });
});

describe("a respondent that has completed", () => {
  const finish = { metadata: { complete: true } };

  test.each(["until_complete", "never"])("uploads nothing more, with editAfterSubmit %s", async (editAfterSubmit) => {
    harness.survey.settings = { collection: { editAfterSubmit } };
    const guest = await harness.startGuest(harness.addLink("shared"));
    const respondentId = await harness.start();
    await harness.uploadAs(guest);
    await harness.upload({ respondentId });
    const responses = [{ elementId: testId("a"), value: 3 }];
    expect(await harness.answerAs(guest, responses)).toEqual({ code: "completed" });
    expect(await harness.submit({ respondentId, responses, ...finish })).toMatchObject({ code: "submitted" });
    const refused = { code: "validation_failed", details: { elementId: [expect.stringMatching(/has completed/)] } };
    expect(await refusal(harness.uploadAs(guest))).toMatchObject(refused);
    expect(await refusal(harness.upload({ respondentId }))).toMatchObject(refused);
    expect(await harness.rows()).toHaveLength(2);
  });

  test("may upload while its answers may be changed", async () => {
    harness.survey.settings = { collection: { editAfterSubmit: "always" } };
    const respondentId = await harness.start();
    await harness.submit({ respondentId, responses: [{ elementId: testId("a"), value: 3 }], ...finish });
    const { fileId } = await harness.upload({ respondentId });
    expect(await harness.submit({ respondentId, responses: [answerTo("f", fileId)] })).toMatchObject({
      code: "submitted",
    });
  });
});

describe("refused are", () => {
  test("a file that is too large, by its content or its declared size", async () => {
    let sent = 0;
    async function* endless() {
      yield png;
      for (;;) {
        sent += 1_000;
        yield new Uint8Array(1_000);
      }
    }
    const maxBytes = Math.floor(0.01 * 1_048_576);
    const refused = { code: "file_too_large", details: { max_bytes: maxBytes } };
    expect(await refusal(harness.upload({}, endless()))).toMatchObject(refused);
    expect(await refusal(harness.upload({ mostBytes: 1_000_000n }))).toMatchObject(refused);
    await waitFor(async () => (await harness.rows()).length === 0, { describe: "no row" });
    await harness.untilFiles((await harness.contents()).filter(({ name }) => name === "content").length);
    expect(await total()).toBe(0);
    expect(sent).toBeLessThan(10_000_000);
  });

  test.each<[string, string, Uint8Array]>([
    ["an extension that the question does not take", "cup.exe", png],
    ["no extension", "cup", png],
    ["a picture that is none", "cup.png", text("hello, this is only a text")],
    ["a program that is called a text", "cup.txt", Buffer.concat([Buffer.from("MZ\0\0\x01"), Buffer.alloc(600, 1)])],
    ["a picture that is called a text", "cup.txt", png],
  ])("%s", async (_name, name, content) => {
    expect(await refusal(harness.upload({ name }, content))).toMatchObject({ code: "file_type_not_allowed" });
  });

  test("an empty file, and all violations of its fields at once", async () => {
    expect(await refusal(harness.upload({}, new Uint8Array()))).toMatchObject({
      code: "validation_failed",
      details: { file: ["is empty"] },
    });
    const elsewhere = { elementId: testId("a") };
    expect(await refusal(harness.upload(elsewhere))).toMatchObject({
      code: "validation_failed",
      details: { elementId: [expect.stringContaining("takes files")] },
    });
    harness.survey.found = false;
    await harness.sql("TRUNCATE collecting_surveys");
    expect(await refusal(harness.upload())).toMatchObject({ code: "survey_not_found" });
  });

  test("files in answers of others: another question, respondent, file that is used, and one that never was", async () => {
    const [first, second] = [await harness.start(), await harness.start()];
    const own = await harness.upload({ respondentId: first });
    const free = await harness.upload();
    const submit = (respondentId: string, ...responses: object[]) => harness.submit({ respondentId, responses });
    const violation = { "responses.0.value.0.fileId": [expect.stringContaining("is not a file")] };
    const refused = { code: "validation_failed", details: violation };
    expect(await submit(second, answerTo("f", own.fileId))).toEqual(refused);
    expect(await submit(first, answerTo("g", own.fileId))).toEqual(refused);
    expect(await submit(first, answerTo("f", "absent0000000000"))).toEqual(refused);
    expect(await submit(first, answerTo("f", "../../etc/passwd"))).toEqual(refused);
    expect(await submit(first, answerTo("f", own.fileId))).toMatchObject({ code: "submitted" });
    expect(await submit(second, answerTo("f", free.fileId))).toMatchObject({ code: "submitted" });
    expect(await submit(first, answerTo("f", free.fileId))).toEqual(refused);
  });

  test("two answers in one batch that name the same file", async () => {
    const file = await harness.upload();
    const [first, second] = [await harness.start(), await harness.start()];
    const outcomes = await harness.submitAll(
      [first, second].map((respondentId) => ({ body: { respondentId, responses: [answerTo("f", file.fileId)] } })),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual(["submitted", "validation_failed"]);
  });

  test("more than a workspace may have, and more that no answer names than a respondent may have", async () => {
    harness.survey.settings = {};
    const big = { elementId: testId("f") };
    await harness.sql("INSERT INTO file_totals VALUES ($1, $2)", ["workspace1000000", 2 * 1_048_576 - 20_000]);
    await harness.upload(big);
    await harness.sql("UPDATE file_totals SET bytes = $1", [2 * 1_048_576 - 100]);
    expect(await refusal(harness.upload(big))).toMatchObject({ code: "quota_exceeded" });
    await harness.sql("UPDATE file_totals SET bytes = 0", []);
    const respondentId = await harness.start();
    for (let count = 0; count < 50; count += 1) await harness.upload({ respondentId });
    expect(await refusal(harness.upload({ respondentId }))).toMatchObject({
      code: "rate_limited",
      details: { unanswered_files: 50, unanswered_bytes: 1_048_576 },
    });
    await harness.upload();
  });

  test("more that no answer names than a survey may have, which leaves room to other surveys", async () => {
    const { fileId } = await harness.upload();
    await harness.sql("UPDATE uploaded_files SET size_bytes = $1", [1_048_576]);
    expect(await refusal(harness.upload())).toMatchObject({
      code: "rate_limited",
      details: { unanswered_files: 5_000, unanswered_bytes: 1_048_576 },
    });
    await harness.sql("UPDATE uploaded_files SET survey_id = $1 WHERE file_id = $2", [testId("other"), fileId]);
    expect(await refusal(harness.upload())).toMatchObject({ details: { unanswered_files: 10_000 } });
    await harness.sql("UPDATE uploaded_files SET size_bytes = $1", [600_000]);
    await harness.upload();
  });
});

describe("files by links that no answer names", () => {
  const size = 100_000;
  const room = 1_048_576;
  /** A file of another survey, as if it had come by a link. */
  const insert = async (fileId: string, distributorId: string, clientKey: string, bytes = size) => {
    await harness.upload();
    await harness.sql(
      `UPDATE uploaded_files SET file_id = $1, survey_id = $1, distributor_id = $2, client_key = $3, size_bytes = $4
       WHERE distributor_id = '' AND size_bytes < 1000 RETURNING file_id`,
      [fileId, distributorId, clientKey, bytes],
    );
  };

  test.each([
    ["of a client address", "other", "client", 500],
    ["of a link", "own", "else", 2_500],
    ["of all links", "other", "else", 7_500],
  ])("are bounded: %s", async (_name, distributorId, clientKey, files) => {
    const guest = await harness.startGuest(harness.addLink("shared"));
    const by = { case: "session" as const, value: { ...guest, clientKey: "client" } };
    const send = () => harness.uploadAs(guest, { by });
    await send();
    const [own] = await harness.sql<{ distributor_id: string }>("SELECT distributor_id FROM uploaded_files");
    await insert("other00000000000", distributorId === "own" ? own!.distributor_id : distributorId, clientKey, room);
    expect(await refusal(send())).toMatchObject({ code: "rate_limited", details: { unanswered_files: files } });
    // A token still has room in the workspace, as others have.
    await harness.sql("UPDATE uploaded_files SET size_bytes = size_bytes - 50000 WHERE size_bytes > 500000");
    await harness.upload();
  });

  test("are deleted after three hours, and answered ones reveal no client address", async () => {
    const guest = await harness.startGuest(harness.addLink("shared"));
    const by = { case: "session" as const, value: { ...guest, clientKey: "client" } };
    await harness.uploadAs(guest, { by });
    const answered = await harness.uploadAs(guest, { by });
    await harness.answerAs(guest, [answerTo("f", answered.fileId)]);
    const rows = await harness.sql("SELECT client_key, expires_at FROM uploaded_files ORDER BY expires_at");
    expect(rows).toEqual([
      { client_key: "client", expires_at: new Date("2026-03-01T16:00:00Z") },
      { client_key: "", expires_at: null },
    ]);
  });
});

test("a file that cannot be deleted does not delay others, and is deleted once that is possible", async () => {
  await harness.upload();
  const broken = join(harness.folder, "files/broken0000000000");
  await writeFile(broken, "in the way of a folder");
  await harness.sql(
    `INSERT INTO uploaded_files (workspace_id, file_id, survey_id, element_id, respondent_id, is_test, name, size_bytes,
       state, created_at, expires_at) VALUES ('broken0000000000', 'a', 'a', 'a', '', false, '', 3, 'stored', $1, $1)`,
    ["2026-03-01T13:00:00Z"],
  );
  harness.clock.set("2026-03-02T14:00:00Z");
  // A refused upload wakes the deletion.
  const wake = () => harness.upload({ name: "a.png" }, text("no picture")).catch(() => undefined);
  const rowsAre = (count: number) =>
    waitFor(async () => (await harness.rows()).length === count, { describe: `${count} rows` });
  await wake();
  await rowsAre(1);
  expect(await harness.rows()).toMatchObject([{ file_id: "a", state: "deleted" }]);
  await rm(broken);
  harness.clock.set("2026-03-02T14:30:00Z");
  await wake();
  await rowsAre(0);
});

test("a repetition with its key is answered as before, and another file with it is refused", async () => {
  const key = idempotency("k1", {}, { requestId: "first" });
  const first = await harness.upload({ idempotency: key });
  const again = await harness.upload({ idempotency: key });
  expect(again).toMatchObject({ fileId: first.fileId, replay: { requestId: "first" } });
  expect(await refusal(harness.upload({ idempotency: key, name: "d.png" }))).toMatchObject({
    code: "idempotency_key_reused",
  });
  await waitFor(async () => (await harness.rows()).length === 1, { describe: "one row" });
});

test("the record of a key holds nothing of a file but its id, and repeats no file that is gone", async () => {
  const respondentId = await harness.start();
  const key = idempotency("k1", {}, { requestId: "first" });
  const name = "Passport of Ann Okapi.png";
  const { fileId } = await harness.upload({ name, respondentId, idempotency: key });
  const records = await harness.sql<{ answer: string }>(
    "SELECT encode(response, 'escape') AS answer FROM idempotency_records WHERE key = 'k1'",
  );
  expect(records).toMatchObject([{ answer: expect.stringContaining(fileId) }]);
  expect(records[0]!.answer).not.toMatch(/okapi|png|image/i);
  const again = await harness.upload({ name, respondentId, idempotency: key });
  expect(again).toMatchObject({ fileId, name, mimeType: "image/png", sizeBytes: BigInt(png.length) });
  const other = idempotency("k2", {}, { requestId: "second" });
  const unnamed = await harness.upload({ name, idempotency: other });
  await harness.sql("UPDATE uploaded_files SET state = 'deleted' WHERE file_id = $1", [unnamed.fileId]);
  expect(await refusal(harness.upload({ name, idempotency: other }))).toMatchObject({ code: "file_not_found" });
});

describe("a respondent of a link", () => {
  test("uploads with its session alone, and only its own answers name the file", async () => {
    const [guest, stranger] = [
      await harness.startGuest(harness.addLink("shared")),
      await harness.startGuest(harness.addLink("shared")),
    ];
    const file = await harness.uploadAs(guest);
    const byToken = await harness.upload();
    const violation = { code: "validation_failed", details: { "responses.0.value.0.fileId": [expect.any(String)] } };
    expect(await harness.answerAs(stranger, [answerTo("f", file.fileId)])).toEqual(violation);
    expect(await harness.answerAs(guest, [answerTo("f", byToken.fileId)])).toEqual(violation);
    expect(await harness.answerAs(guest, [answerTo("f", file.fileId)])).toMatchObject({ code: expect.any(String) });
    expect(await harness.valueOf(guest.respondentId)).toMatchObject([{ fileId: file.fileId, name: "cup.png" }]);
  });

  test("is refused with another's session, on a link that is paused, and when it was erased", async () => {
    const guest = await harness.startGuest(harness.addLink("shared"));
    const other = await harness.startGuest(testCode("shared"));
    const mixed = { ...guest, respondentId: other.respondentId };
    expect(await refusal(harness.uploadAs(mixed))).toMatchObject({ code: "invalid_token" });
    expect(await refusal(harness.uploadAs({ ...guest, sessionToken: "x.y" }))).toMatchObject({ code: "invalid_token" });
    harness.addLink("shared", { status: "paused" });
    expect(await refusal(harness.uploadAs(guest))).toMatchObject({ code: "survey_not_collecting" });
    harness.addLink("shared");
    await harness.client.eraseRespondent({ surveyId, respondentId: guest.respondentId }, harness.as());
    expect(await refusal(harness.uploadAs(guest))).toMatchObject({ code: "respondent_not_found" });
  });
});

test("an upload by a personal link is refused once its contact is gone", async () => {
  const personal = { type: "personal_link", linkId: testId("one"), contactId: testId("contact") };
  const guest = await harness.startGuest(harness.addLink("personal", personal));
  expect(await harness.uploadAs(guest)).toMatchObject({ name: "cup.png" });
  dropContact(harness.links, testId("contact"), "deleted");
  expect(await refusal(harness.uploadAs(guest))).toMatchObject({ code: "distributor_not_found" });
});

describe("nothing is stored of an upload that was validated too early", () => {
  const contactId = testId("contact");
  const personal = { type: "personal_link", linkId: testId("one"), contactId };
  const gone: [what: string, go: (guest: { respondentId: string }) => Promise<unknown>, refusedWith: object][] = [
    [
      "its contact was anonymized and erased",
      async () => {
        dropContact(harness.links, contactId, "anonymized");
        await harness.push();
        const body = { case: "contactAnonymized" as const, value: { contactId } };
        const event = newEvent({ workspaceId, occurredAt: new Date(), source: "distribution", body });
        expect(await harness.handOver([event], "contact-erasures")).toEqual([event.eventId]);
      },
      { code: "distributor_not_found" },
    ],
    [
      "its respondent was erased",
      ({ respondentId }) => harness.client.eraseRespondent({ surveyId, respondentId }, harness.as()),
      { code: "respondent_not_found" },
    ],
    [
      "its link was paused",
      async () => {
        harness.addLink("personal", { ...personal, status: "paused" });
        await harness.push();
      },
      { code: "survey_not_collecting", details: { reason: "link_paused" } },
    ],
  ];

  test.each(gone)("when %s", async (_, go, refusedWith) => {
    const guest = await harness.startGuest(harness.addLink("personal", personal));
    // Another process does not know the version yet, for which it asks last.
    await using other = await harness.startAnother();
    await using files = createRpcClient(FileService, { url: other.url, peerKey: testKeys.peerKey });
    const [evaluated, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const has = () => (evaluated.resolve(), true);
    harness.survey.versionsHang = { workspaces: Object.assign(new Set<string>(), { has }), until: goesOn.promise };
    try {
      const outcome = refusal(harness.uploadAs(guest, {}, png, files));
      await evaluated.promise;
      await go(guest);
      goesOn.resolve();
      expect(await outcome).toMatchObject(refusedWith);
    } finally {
      goesOn.resolve();
      harness.survey.versionsHang = undefined;
    }
    expect(await harness.rows()).toEqual([]);
    expect(await total()).toBe(0);
  });
});

test("an erasure takes the files of a respondent, also one that is under way", async () => {
  const respondentId = await harness.start();
  const file = await harness.upload({ respondentId });
  const free = await harness.upload({ respondentId, name: "unused.png" });
  const metadata = { complete: false };
  await harness.submit({ respondentId, responses: [answerTo("f", file.fileId)], metadata });
  const { downloadToken } = await harness.files.createFileDownload({ fileId: free.fileId }, harness.as());
  const goesOn = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  async function* slow() {
    yield png;
    begun.resolve();
    await goesOn.promise;
    yield png;
  }
  const coming = refusal(harness.upload({ respondentId }, slow()));
  await begun.promise;
  await waitFor(async () => (await harness.rows()).length === 3, { describe: "three rows" });
  const before = (await harness.contents()).filter(({ name }) => name === "content").length;
  const receipt = await harness.client.eraseRespondent({ surveyId, respondentId }, harness.as());
  expect(receipt).toMatchObject({ answers: 1, uploadedFiles: 2 });
  expect((await harness.rows()).every(({ name, respondent_id: of }) => name === "" && of === "")).toBe(true);
  goesOn.resolve();
  expect(await coming).toMatchObject({ code: "respondent_not_found" });
  await waitFor(async () => (await harness.rows()).length === 0, { describe: "no row" });
  await harness.untilFiles(before - 2);
  expect(await refusal(harness.getDownload(downloadToken))).toMatchObject({ code: "file_not_found" });
  expect(await refusal(harness.files.createFileDownload({ fileId: file.fileId }, harness.as()))).toMatchObject({
    code: "file_not_found",
  });
});

test("a download of a file whose content was deleted meanwhile is refused as file_not_found", async () => {
  const file = await harness.upload();
  const { downloadToken } = await harness.files.createFileDownload({ fileId: file.fileId }, harness.as());
  await rm(join(harness.folder, fileFolder({ workspaceId, fileId: file.fileId })), { recursive: true });
  expect(await refusal(harness.download(downloadToken))).toMatchObject({ code: "file_not_found" });
});

test("a live file is found neither by a test token nor by another workspace", async () => {
  const file = await harness.upload();
  const asked = { fileId: file.fileId };
  for (const person of [{ live: false }, { workspaceId: "workspace2000000" }]) {
    expect(await refusal(harness.files.createFileDownload(asked, harness.as(person)))).toMatchObject({
      code: "file_not_found",
    });
  }
});

test("nothing reveals the time of an upload by a respondent who started with full anonymity, even if the survey has less now", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  const respondentId = await harness.start();
  harness.survey.settings = { privacy: { anonymity: "none" } };
  await harness.push();
  await harness.upload({ respondentId });
  const [row] = await harness.sql<{ created_at: Date }>("SELECT created_at FROM uploaded_files");
  expect(row!.created_at.toISOString()).toBe("2026-03-01T00:00:00.000Z");
});

test("with full anonymity nothing reveals the time of an upload", async () => {
  harness.survey.settings = { privacy: { anonymity: "full" } };
  await harness.upload();
  const [row] = await harness.sql<{ created_at: Date; expires_at: Date }>(
    "SELECT created_at, expires_at FROM uploaded_files",
  );
  expect(row!.created_at.toISOString()).toBe("2026-03-01T00:00:00.000Z");
  expect(row!.expires_at.toISOString()).toBe("2026-03-03T00:00:00.000Z");
});

describe("a process that ends in the middle leaves nothing for ever", () => {
  const at = "2026-03-01T13:00:00Z";
  const ref = (fileId: string) => ({ workspaceId: "workspace1000000", fileId });
  /** The row and bytes of a file as a killed process leaves them. */
  const leave = async (fileId: string, state: string, bytes: string | undefined) => {
    await harness.sql(
      `INSERT INTO uploaded_files (workspace_id, file_id, survey_id, element_id, respondent_id, is_test, name, size_bytes,
         state, created_at, expires_at) VALUES ($1, $2, $3, $4, '', false, '', 3, $5, $6, $7)`,
      ["workspace1000000", fileId, surveyId, testId("f"), state, at, "2026-03-01T13:30:00Z"],
    );
    await harness.sql("INSERT INTO file_totals VALUES ($1, 3) ON CONFLICT (workspace_id) DO UPDATE SET bytes = 3", [
      "workspace1000000",
    ]);
    if (!bytes) return;
    const folder = join(harness.folder, fileFolder(ref(fileId)));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, bytes), "abc");
  };

  test.each([
    ["before the first byte", "uploading", undefined],
    ["while bytes come", "uploading", "content.1.incoming"],
    ["after the last byte", "uploading", "content"],
    ["before bytes that expired are deleted", "deleted", "content"],
    ["between bytes and row", "deleted", undefined],
  ])("%s", async (_name, state, bytes) => {
    await leave("left000000000000", state, bytes);
    harness.clock.set("2026-03-01T13:31:00Z");
    // A refused upload wakes the deletion.
    await harness.upload({ name: "a.png" }, text("no picture")).catch(() => undefined);
    await waitFor(async () => (await harness.rows()).length === 0, { describe: "no row" });
    expect((await harness.contents()).filter(({ parentPath }) => parentPath.includes("left000000000000"))).toEqual([]);
    expect(await total()).toBe(0);
  });
});

test("an upload whose stream ends too early is refused and leaves nothing", async () => {
  const told = {
    by: { case: "caller" as const, value: harness.signed() },
    surveyId,
    elementId: testId("f"),
    name: "a.png",
  };
  async function* cut() {
    yield { part: { case: "upload" as const, value: told } };
    yield { part: { case: "piece" as const, value: png } };
  }
  const before = (await harness.contents()).length;
  expect(await refusal(harness.files.uploadFile(cut()))).toMatchObject({ code: "request_timeout" });
  await waitFor(async () => (await harness.rows()).length === 0, { describe: "no row" });
  await harness.untilFiles(before);
});

test("while the file store is away an upload is 503 and nothing is stored", async () => {
  await using away = await startFileHarness({ CANVASS_FILES_DIR: "/dev/null/nowhere" });
  expect(await refusal(away.upload())).toMatchObject({ code: "service_unavailable" });
  expect((await away.rows()).every(({ state }) => state === "deleted")).toBe(true);
});
