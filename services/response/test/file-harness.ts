import type { MessageInitShape } from "@bufbuild/protobuf";
import { FileService, type FileUploadSchema } from "@canvass/proto/files";
import { ExportService } from "@canvass/proto/exports";
import { LinkResponseService } from "@canvass/proto/response-links";
import type { Question } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { waitFor } from "@canvass/testing";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ratingQuestion, startHarness, surveyId, testId } from "./harness.ts";
import type { Guest } from "./link-harness.ts";

/** A small picture. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

export function fileQuestion(name: string, settings: object = {}): Question {
  return {
    ...ratingQuestion(name),
    type: 16,
    typeSettings: { maxFiles: 2, maxSizeMb: 0.01, extensions: ["png", "txt"], ...settings },
  };
}

export type UploadFields = MessageInitShape<typeof FileUploadSchema>;
type Content = Uint8Array | AsyncIterable<Uint8Array>;

async function* partsOf(upload: UploadFields, content: Content) {
  yield { part: { case: "upload" as const, value: upload } };
  let sent = 0;
  for await (const value of content instanceof Uint8Array ? [content] : content) {
    sent += value.length;
    yield { part: { case: "piece" as const, value } };
  }
  yield { part: { case: "whole" as const, value: BigInt(sent) } };
}

/**
 * Starts the real service with a folder for files, a question `a`, and questions `f` and `g` that take pictures and
 * texts of 10 KiB.
 */
export async function startFileHarness(environment: Record<string, string> = {}) {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "canvass-files-"));
  starting.defer(() => rm(folder, { recursive: true }));
  const pages = [[ratingQuestion("a"), fileQuestion("f"), fileQuestion("g")]];
  const harness = starting.use(await startHarness(pages, { CANVASS_FILES_DIR: folder, ...environment }));
  harness.clock.set("2026-03-01T13:00:00Z");
  const client = harness.clientOf(FileService);
  const exports = harness.clientOf(ExportService);
  const links = harness.clientOf(LinkResponseService);
  const told = (fields: UploadFields = {}): UploadFields => ({
    by: { case: "caller", value: harness.signed() },
    surveyId,
    elementId: testId("f"),
    name: "cup.png",
    ...fields,
  });
  const upload = async (
    fields: UploadFields = {},
    content: Content = png,
    by: Pick<typeof client, "uploadFile"> = client,
  ) => by.uploadFile(partsOf(told(fields), content));
  const contents = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const rows = () =>
    harness.sql<{ file_id: string; state: string; respondent_id: string; name: string; expires_at: Date | null }>(
      "SELECT file_id, state, respondent_id, name, expires_at FROM uploaded_files ORDER BY created_at, file_id",
    );
  const running = starting.move();
  return {
    ...harness,
    folder,
    files: client,
    upload,
    contents,
    rows,
    as: (person?: Parameters<typeof harness.signed>[0]) => callOptions({ signedCaller: harness.signed(person) }),
    startGuest: async (code: string) => {
      const { respondent, sessionToken } = await links.startLinkRespondent({ code });
      return { code, respondentId: respondent!.respondentId, sessionToken };
    },
    /** Uploads for a respondent that started through a link. */
    uploadAs: (
      { code, respondentId, sessionToken }: Guest,
      fields: UploadFields = {},
      content: Content = png,
      by?: Pick<typeof client, "uploadFile">,
    ) =>
      upload(
        { by: { case: "session", value: { code, sessionToken } }, surveyId: "", respondentId, ...fields },
        content,
        by,
      ),
    answerAs: async ({ code, respondentId, sessionToken }: Guest, responses: object[]) => {
      const bodyJson = JSON.stringify({ responses });
      const submission = { code, respondentId, sessionToken, bodyJson };
      const { results } = await harness.client.batchSubmitAnswers({ submissions: [submission] });
      const { outcome } = results[0]!;
      return outcome.case === "error"
        ? { code: outcome.value.code, details: JSON.parse(outcome.value.detailsJson || "{}") as object }
        : { code: outcome.value!.respondentStatus };
    },
    valueOf: async (respondentId: string, name = "f"): Promise<unknown> => {
      const asked = { surveyId, respondentId, withAnswers: true };
      const { respondent } = await harness.client.getRespondent(asked, callOptions({ signedCaller: harness.signed() }));
      const found = respondent!.answers.find(({ elementId }) => elementId === testId(name));
      return found && (JSON.parse(found.valueJson) as unknown);
    },
    download: async (downloadToken: string) => {
      const chunks = await Array.fromAsync(exports.streamDownload({ downloadToken }));
      return Buffer.concat(chunks.map(({ piece }) => piece));
    },
    getDownload: (downloadToken: string) => exports.getDownload({ downloadToken }),
    /** Waits until the folder holds exactly `files` files. */
    untilFiles: (files: number) =>
      waitFor(async () => (await contents()).length === files, { describe: `${files} files in the folder` }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export const answerTo = (name: string, ...fileIds: string[]) => ({
  elementId: testId(name),
  value: fileIds.map((fileId) => ({ fileId })),
});
