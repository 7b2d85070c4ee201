import type { ExportCell, ExportValue } from "@canvass/questions";
import type { CollectedRow } from "./collected-row.ts";
import type { TimeWriter } from "./export-times.ts";
import type { FixedColumn } from "./export-layout.ts";
import type { ExportOptions } from "./export-options.ts";

export interface RespondentColumn extends FixedColumn {
  read: (row: CollectedRow) => ExportCell;
}

const text = { kind: "text", measure: "nominal", values: [] } as const;
const time = { kind: "datetime", measure: "scale", values: [] } as const;
const statuses: readonly ExportValue[] = [
  { code: 0, id: "started", label: "Started" },
  { code: 1, id: "completed", label: "Completed" },
  { code: 2, id: "screened_out", label: "Screened out" },
];
const truths: readonly ExportValue[] = [
  { code: 0, id: "false", label: "No" },
  { code: 1, id: "true", label: "Yes" },
];
const dayMs = 86_400_000;
const orNull = (value: string): string | null => (value === "" ? null : value);

export function respondentColumns(
  { includeTest }: Pick<ExportOptions, "includeTest">,
  { respondent: writeTime }: Pick<TimeWriter, "respondent">,
): RespondentColumn[] {
  // Older processes stored exact times, which remain until they are purged.
  const started = ([, isAnonymous, , at]: CollectedRow): ExportCell =>
    writeTime(isAnonymous ? at - (at % dayMs) : at, isAnonymous);
  const completed = ([, isAnonymous, , , at]: CollectedRow): ExportCell =>
    at === null ? null : writeTime(at, isAnonymous);
  const columns: RespondentColumn[] = [
    { id: "respondentId", text: "Respondent", ...text, read: ([id]) => id },
    {
      id: "status",
      text: "Status",
      kind: "value",
      measure: "nominal",
      values: statuses,
      read: ({ 4: completedAt, 14: isScreenedOut = false }) =>
        isScreenedOut ? "screened_out" : completedAt === null ? "started" : "completed",
    },
    { id: "startedAt", text: "Started at", ...time, read: started },
    { id: "completedAt", text: "Completed at", ...time, read: completed },
    { id: "versionNumber", text: "Version", kind: "number", measure: "ordinal", values: [], read: (row) => row[5] },
    { id: "language", text: "Language", ...text, read: (row) => orNull(row[6]) },
    { id: "distributorId", text: "Link", ...text, read: (row) => orNull(row[7]) },
    { id: "contactId", text: "Contact", ...text, read: (row) => orNull(row[8]) },
    { id: "metadata", text: "Metadata", ...text, kind: "object", read: (row) => metadataText(row[9]) },
  ];
  if (!includeTest) return columns;
  const isTest = { kind: "value", measure: "nominal", values: truths } as const;
  return [...columns, { id: "isTest", text: "Test", ...isTest, read: (row) => String(row[2]) }];
}

function metadataText(metadata: Record<string, unknown>): string | null {
  const json = JSON.stringify(metadata);
  return json === "{}" ? null : json;
}
