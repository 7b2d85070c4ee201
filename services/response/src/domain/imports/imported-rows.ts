/** A row of a file, not yet validated. */
export interface FileRow {
  /** Of the file, where the row ends. */
  line: number;
  cells: string[];
}

/** A violation of a row, without its value. */
export interface RowError {
  line: number;
  /** The heading; empty if it is about the whole row. */
  column: string;
  message: string;
}

export interface RowCounts {
  imported: number;
  /** Rows whose external id is imported already. */
  skipped: number;
  failed: number;
  violations: number;
}
