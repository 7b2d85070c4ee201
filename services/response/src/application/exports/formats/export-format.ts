import type { ExportCell } from "@canvass/questions";
import type { ExportField } from "../../../domain/exports/export-fields.ts";
import type { CellForm, HeadedColumn } from "../../../domain/exports/export-layout.ts";
import type { WarningCounter } from "../../../domain/exports/export-warnings.ts";

export interface ExportContent {
  title: string;
  /** Whether a text begins with a byte order mark. */
  bom: boolean;
  /** Whether a csv file keeps spreadsheets from running what respondents wrote. */
  escapeFormulas: boolean;
  columns: readonly HeadedColumn[];
  /** The columns as members of objects. */
  fields: readonly ExportField[];
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
