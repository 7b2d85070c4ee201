import type { ImportKey, ImportMode } from "@canvass/inputs";

export interface ImportSettings {
  mode: ImportMode;
  matchOn: ImportKey;
}

/** The character that decoders write for invalid bytes. */
export const replacementCharacter = "\uFFFD";

/** As received: the fields of a contact, not yet validated. */
export type ImportRow = Record<string, unknown>;

/** A violation in a row. Does not contain the value. */
export interface RowError {
  /** From 1. */
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
