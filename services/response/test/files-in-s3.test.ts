import { startS3 } from "./file-store/start-s3.ts";
import { refusal } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { answerTo, fileQuestion, png, startFileHarness } from "./file-harness.ts";
import { definitionOf, surveyId } from "./harness.ts";

const mebi = 1_048_576;

/** A picture that is larger than a part of an upload to S3. */
async function* largePicture() {
  yield png;
  for (let chunk = 0; chunk < 6; chunk += 1) yield Buffer.alloc(mebi, chunk);
}

test("uploads to S3 are read back, erased with their respondent, and leave nothing when they are cut", async () => {
  await using s3 = await startS3();
  await using harness = await startFileHarness({
    CANVASS_S3_BUCKET: s3.bucket,
    CANVASS_S3_ENDPOINT: s3.endpoint,
    CANVASS_S3_REGION: "us-east-1",
    CANVASS_S3_ACCESS_KEY_ID: s3.accessKeyId,
    CANVASS_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  });
  harness.survey.versions.set(1, definitionOf([[fileQuestion("f", { maxSizeMb: 8 })]]));
  const objects = async () =>
    (await readdir(s3.directory, { recursive: true })).filter((name) => name.endsWith("._S3rver_object"));
  const objectsAre = (count: number) =>
    waitFor(async () => (await objects()).length === count, { describe: `${count} objects` });

  const respondentId = await harness.start();
  const { fileId, sizeBytes } = await harness.upload({ respondentId }, largePicture());
  expect(sizeBytes).toBe(BigInt(6 * mebi + png.length));
  expect(await harness.submit({ respondentId, responses: [answerTo("f", fileId)] })).toMatchObject({
    code: "submitted",
  });
  const { downloadToken } = await harness.files.createFileDownload({ fileId }, harness.as());
  const expected = Buffer.concat(await Array.fromAsync(largePicture()));
  expect((await harness.download(downloadToken)).equals(expected)).toBe(true);

  async function* tooLarge() {
    for (let times = 0; times < 2; times += 1) yield* largePicture();
  }
  // The first one has completed, and uploads nothing more.
  const another = { respondentId: await harness.start() };
  expect(await refusal(harness.upload(another, tooLarge()))).toMatchObject({ code: "file_too_large" });
  await objectsAre(1);
  await harness.client.eraseRespondent({ surveyId, respondentId }, harness.as());
  await objectsAre(0);
});
