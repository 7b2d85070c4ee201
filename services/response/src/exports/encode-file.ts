import type { FileStore } from "@canvass/file-store";
import type { ExportCell } from "@canvass/questions";
import { createExportLayout } from "../domain/export-layout.ts";
import { createQuestionMerger, type MergedQuestion } from "../domain/merged-questions.ts";
import { countRows } from "./collect-parts.ts";
import { fileKey, type ExportCheckpoint, type ExportHost, type ExportWork } from "./export-work.ts";
import { exportFormats } from "./formats/index.ts";
import { readPart } from "./parts.ts";

/** Writes the collected parts as one file of the export's format and returns its bytes. */
export async function encodeFile(
  files: FileStore,
  work: ExportWork,
  checkpoint: ExportCheckpoint,
  host: Pick<ExportHost, "save" | "version" | "currentVersion">,
): Promise<number> {
  const format = exportFormats[work.options.format];
  const layout = createExportLayout(await readQuestions(checkpoint, host), work.options, format.cells);
  const rowCount = countRows(checkpoint);
  let furthest = 0;
  async function* rows(): AsyncGenerator<ExportCell[][]> {
    let encoded = 0;
    for (const { key, rows: partRows } of checkpoint.parts) {
      for await (const some of readPart(files, key)) yield some.map(layout.cellsOf);
      encoded += partRows;
      // A format may read the rows twice.
      if (encoded <= furthest) continue;
      furthest = encoded;
      await host.save({ done: rowCount + encoded, total: 2 * rowCount, checkpoint });
    }
  }
  const title = `Responses ${work.surveyId}`;
  const pieces = format.encode({ title, columns: layout.columns, rowCount, rows });
  return files.write(fileKey(work, work.revision, format.extension), pieces);
}

/** Those of the versions of all respondents and of the one that collects now. */
async function readQuestions(
  { versions }: ExportCheckpoint,
  host: Pick<ExportHost, "version" | "currentVersion">,
): Promise<MergedQuestion[]> {
  const merger = createQuestionMerger();
  const all = Object.entries({ ...versions, ...(await host.currentVersion()) });
  for (const [versionId] of all.toSorted(([, a], [, b]) => a - b))
    merger.add((await host.version(versionId)).definition);
  return merger.questions();
}
