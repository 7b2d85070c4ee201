import type { FileStore } from "../../storage/file-store/file-store.ts";
import type { ExportCell } from "@canvass/questions";
import { mergeFields, type ExportedField } from "../../domain/exports/field-columns.ts";
import { createExportLayout } from "../../domain/exports/export-layout.ts";
import { createWarningCounter, type ExportWarning } from "../../domain/exports/export-warnings.ts";
import { createShownOrders, type ShownOrders } from "../../domain/exports/shown-orders.ts";
import { createQuestionMerger, type MergedQuestion } from "../../domain/exports/merged-questions.ts";
import { countRows } from "./collect-parts.ts";
import { withinCapacity } from "./export-capacity.ts";
import { fileKey, type ExportCheckpoint, type ExportHost, type ExportWork } from "./export-work.ts";
import { exportFormats } from "./formats/index.ts";
import { readPart } from "./parts.ts";

export interface EncodeHost {
  host: Pick<ExportHost, "save" | "version" | "currentVersion">;
  settleCodes: (questions: readonly MergedQuestion[]) => Promise<readonly MergedQuestion[]>;
}

export async function encodeFile(
  files: FileStore,
  work: ExportWork,
  checkpoint: ExportCheckpoint,
  { host, settleCodes }: EncodeHost,
): Promise<{ sizeBytes: number; warnings: ExportWarning[] }> {
  const format = exportFormats[work.options.format];
  const orders = work.options.includeOrder ? createShownOrders() : undefined;
  const { questions, hidden } = await readQuestions(checkpoint, host, orders);
  const settled = format.cells.values === "codes" ? await settleCodes(questions) : questions;
  const layout = createExportLayout(settled, work.options, format.cells, { hidden, orders });
  const rowCount = countRows(checkpoint);
  let furthest = 0;
  let fileBytes = 0;
  async function* rows(): AsyncGenerator<ExportCell[][]> {
    let encoded = 0;
    for (const { key, rows: partRows } of checkpoint.parts) {
      for await (const some of readPart(files, key)) yield some.map(layout.cellsOf);
      encoded += partRows;
      // Some formats read the rows twice: report each row once.
      if (encoded <= furthest) continue;
      furthest = encoded;
      await host.save({ done: rowCount + encoded, total: 2 * rowCount, checkpoint: { ...checkpoint, fileBytes } });
    }
  }
  const title = `Responses ${work.surveyId}`;
  const counter = createWarningCounter();
  const { columns, fields } = layout;
  const { bom, escapeFormulas = true } = work.options;
  const chunks = format.encode({ title, bom, escapeFormulas, columns, fields, rowCount, rows, warn: counter.note });
  const fitting = withinCapacity(chunks, work.capacityBytes, (bytes) => (fileBytes = bytes));
  const sizeBytes = await files.write(fileKey(work, work.revision, format.extension), fitting);
  return { sizeBytes, warnings: counter.warnings() };
}

async function readQuestions(
  { versions }: ExportCheckpoint,
  host: Pick<ExportHost, "version" | "currentVersion">,
  orders: ShownOrders | undefined,
): Promise<{ questions: MergedQuestion[]; hidden: ExportedField[] }> {
  const merger = createQuestionMerger();
  const all = Object.entries({ ...versions, ...(await host.currentVersion()) });
  let hidden: ExportedField[] = [];
  for (const [versionId, versionNumber] of all.toSorted(([, a], [, b]) => a - b)) {
    const { definition } = await host.version(versionId);
    merger.add(definition);
    hidden = mergeFields(hidden, definition);
    orders?.add(versionNumber, definition);
  }
  return { questions: merger.questions(), hidden };
}
