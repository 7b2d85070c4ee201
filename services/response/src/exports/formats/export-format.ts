import type { ExportCell } from "@canvass/questions";
import type { CellForm, HeadedColumn } from "../../domain/exports/export-layout.ts";
import type { WarningCounter } from "../../domain/exports/export-warnings.ts";

export interface ExportContent {
  title: string;
  /** Whether a text begins with a byte order mark. */
  bom: boolean;
  columns: readonly HeadedColumn[];
  rowCount: number;
  /** Reads all rows from the first, some at a time. */
  rows: () => AsyncIterable<ExportCell[][]>;
  /** Counts what the format cannot hold. */
  warn: WarningCounter["note"];
}

export interface ExportFormat {
  extension: string;
  mediaType: string;
  cells: CellForm;
  encode: (content: ExportContent) => AsyncIterable<Uint8Array>;
}
