import type { ExportCell } from "@canvass/questions";
import type { ExportField } from "../../../domain/exports/export-fields.ts";
import type { CellForm, HeadedColumn } from "../../../domain/exports/export-layout.ts";
import type { WarningCounter } from "../../../domain/exports/export-warnings.ts";

export interface ExportContent {
  title: string;
  /** Whether text begins with a byte order mark. */
  bom: boolean;
  /** Whether csv files escape formulas. */
  escapeFormulas: boolean;
  columns: readonly HeadedColumn[];
  /** The columns as object members. */
  fields: readonly ExportField[];
  rowCount: number;
  /** Reads all rows from the first, in batches. */
  rows: () => AsyncIterable<ExportCell[][]>;
  /** Counts values that the format cannot hold. */
  warn: WarningCounter["note"];
}

export interface ExportFormat {
  extension: string;
  mediaType: string;
  cells: CellForm;
  encode: (content: ExportContent) => AsyncIterable<Uint8Array>;
}
