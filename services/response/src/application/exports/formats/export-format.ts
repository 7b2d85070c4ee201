import type { ExportCell } from "@canvass/questions";
import type { ExportField } from "../../../domain/exports/export-fields.ts";
import type { CellForm, HeadedColumn } from "../../../domain/exports/export-layout.ts";
import type { WarningCounter } from "../../../domain/exports/export-warnings.ts";

export interface ExportContent {
  title: string;
  bom: boolean;
  escapeFormulas: boolean;
  columns: readonly HeadedColumn[];
  fields: readonly ExportField[];
  rowCount: number;
  rows: () => AsyncIterable<ExportCell[][]>;
  warn: WarningCounter["note"];
}

export interface ExportFormat {
  extension: string;
  mediaType: string;
  cells: CellForm;
  encode: (content: ExportContent) => AsyncIterable<Uint8Array>;
}
