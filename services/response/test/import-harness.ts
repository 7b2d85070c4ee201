import type { Question } from "@canvass/questions";
import { ResponseImportService } from "@canvass/proto/response-imports";
import { waitFor } from "@canvass/testing";
import { startExportHarness } from "./export-harness.ts";
import { surveyId, testId } from "./harness.ts";

export const copyId = testId("copyofsurvey");

type Person = Parameters<Awaited<ReturnType<typeof startExportHarness>>["as"]>[0];

/** Starts the service with a survey and its copy, and helpers for imports. */
export async function startImportHarness(pages: Question[][]) {
  const harness = await startExportHarness(pages);
  harness.survey.others.add(copyId);
  const client = harness.clientOf(ResponseImportService);
  const asked = (file: string | Uint8Array, { survey = surveyId, skipUnknown = false } = {}) => ({
    surveyId: survey,
    csv: Buffer.from(file),
    skipUnknown,
  });
  type Options = Parameters<typeof asked>[1];
  const queue = async (file: string | Uint8Array, options?: Options, person?: Person) =>
    (await client.createImport(asked(file, options), harness.as(person))).import!;
  const read = async (importId: string) => (await client.getImport({ importId }, harness.as())).import!;
  const untilEnded = (importId: string) =>
    waitFor(
      async () => {
        const found = await read(importId);
        return !["queued", "processing"].includes(found.status) && found;
      },
      { describe: "the end of the import", timeoutMs: 60_000 },
    );
  return {
    ...harness,
    imports: client,
    queue,
    untilEnded,
    /** Imports a file to its end. */
    importFile: async (file: string | Uint8Array, options?: Options, person?: Person) =>
      untilEnded((await queue(file, options, person)).importId),
    preview: async (file: string, options?: Options) =>
      client.previewImport({ import: asked(file, options) }, harness.as()),
  };
}

export type ImportHarness = Awaited<ReturnType<typeof startImportHarness>>;
