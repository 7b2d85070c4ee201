import type { ImportKey, ImportMode } from "@canvass/inputs";

export interface ImportSettings {
  mode: ImportMode;
  matchOn: ImportKey;
}

/** What a decoder writes for bytes that are no text in its charset. */
export const lost = "\uFFFD";

/** A row as it came: the fields of a contact, still to be judged. */
export type ImportRow = Record<string, unknown>;

/** A fault of a row, without the value. */
export interface RowError {
  /** 1 for the first row. */
  row: number;
  column: string;
  message: string;
}

export interface RowCounts {
  created: number;
  updated: number;
  skipped: number;
  failed: number;
}
