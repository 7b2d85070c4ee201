import type { ExportCell } from "@canvass/questions";
import type { CellForm, HeadedColumn } from "../../domain/export-layout.ts";

export interface ExportContent {
  title: string;
  columns: readonly HeadedColumn[];
  rowCount: number;
  /** Reads all rows from the first, some at a time. */
  rows: () => AsyncIterable<ExportCell[][]>;
}

export interface ExportFormat {
  extension: string;
  mediaType: string;
  cells: CellForm;
  encode: (content: ExportContent) => AsyncIterable<Uint8Array>;
}
