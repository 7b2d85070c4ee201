import type { FileStore } from "@canvass/file-store";
import type { ExportCell } from "@canvass/questions";
import { createExportLayout } from "../domain/export-layout.ts";
import type { PublishedVersion } from "../domain/published-version.ts";
import { countRows } from "./collect-parts.ts";
import { fileKey, type ExportCheckpoint, type ExportHost, type ExportWork } from "./export-work.ts";
import { exportFormats } from "./formats/index.ts";
import { readPart } from "./parts.ts";

/** Writes the collected parts as one file of the export's format and returns its bytes. */
export async function encodeFile(
  files: FileStore,
  work: ExportWork,
  checkpoint: ExportCheckpoint,
  host: Pick<ExportHost, "save" | "version" | "currentVersionId">,
): Promise<number> {
  const format = exportFormats[work.options.format];
  const versions = await readVersions(checkpoint, host);
  const definitions = versions.map(({ definition }) => definition);
  const layout = createExportLayout(definitions, work.options, format.cells);
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

/** The versions of all respondents and the one that collects now, oldest first. */
async function readVersions(
  { versionIds }: ExportCheckpoint,
  host: Pick<ExportHost, "version" | "currentVersionId">,
): Promise<PublishedVersion[]> {
  const current = await host.currentVersionId();
  const versions: PublishedVersion[] = [];
  for (const versionId of new Set([...versionIds, ...(current === null ? [] : [current])])) {
    versions.push(await host.version(versionId));
  }
  return versions.toSorted((a, b) => a.versionNumber - b.versionNumber);
}
