import type { ExportLabels } from "@canvass/questions";

export const exportFormatNames = ["csv", "xlsx", "json", "ndjson", "sav", "parquet"] as const;
export type ExportFormatName = (typeof exportFormatNames)[number];

/** What an export holds and how it is written, with all defaults. */
export interface ExportOptions {
  format: ExportFormatName;
  labels: ExportLabels;
  includePartial: boolean;
  includeTest: boolean;
  /** Respondents that started from this moment on; ISO 8601. */
  from: string | null;
  /** Respondents that started before this moment; ISO 8601. */
  to: string | null;
  /** Null: all. */
  elementIds: readonly string[] | null;
  /** Null: all. */
  distributorIds: readonly string[] | null;
  timeZone: string;
}
