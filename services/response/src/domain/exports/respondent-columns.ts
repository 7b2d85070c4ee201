import type { ExportCell, ExportValue } from "@canvass/questions";
import type { NamedRow } from "./collected-row.ts";
import type { TimeWriter } from "./export-times.ts";
import type { FixedColumn } from "./export-layout.ts";
import type { ExportOptions } from "./export-options.ts";

export interface RespondentColumn extends FixedColumn {
  read: (row: NamedRow) => ExportCell;
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
  const started = ({ isAnonymous, startedAt: at }: NamedRow): ExportCell =>
    writeTime(isAnonymous ? at - (at % dayMs) : at, isAnonymous);
  const completed = ({ isAnonymous, completedAt: at }: NamedRow): ExportCell =>
    at === null ? null : writeTime(at, isAnonymous);
  const columns: RespondentColumn[] = [
    { id: "respondentId", text: "Respondent", ...text, read: (row) => row.respondentId },
    {
      id: "status",
      text: "Status",
      kind: "value",
      measure: "nominal",
      values: statuses,
      read: ({ completedAt, isScreenedOut }) =>
        isScreenedOut ? "screened_out" : completedAt === null ? "started" : "completed",
    },
    { id: "startedAt", text: "Started at", ...time, read: started },
    { id: "completedAt", text: "Completed at", ...time, read: completed },
    {
      id: "versionNumber",
      text: "Version",
      kind: "number",
      measure: "ordinal",
      values: [],
      read: (row) => row.versionNumber,
    },
    { id: "language", text: "Language", ...text, read: (row) => orNull(row.language) },
    { id: "distributorId", text: "Link", ...text, read: (row) => orNull(row.distributorId) },
    { id: "contactId", text: "Contact", ...text, read: (row) => orNull(row.contactId) },
    { id: "metadata", text: "Metadata", ...text, kind: "object", read: (row) => metadataText(row.metadata) },
  ];
  if (!includeTest) return columns;
  const isTest = { kind: "value", measure: "nominal", values: truths } as const;
  return [...columns, { id: "isTest", text: "Test", ...isTest, read: (row) => String(row.isTest) }];
}

function metadataText(metadata: Record<string, unknown>): string | null {
  const json = JSON.stringify(metadata);
  return json === "{}" ? null : json;
}
