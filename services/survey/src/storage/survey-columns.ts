import { surveyNameKey } from "../domain/survey-name-key.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";

/** A column of the table `surveys`: the value to write, and the expression that reads it, unless it is derived. */
export interface SurveyColumn {
  name: string;
  value: (survey: SurveyRecord) => unknown;
  read?: string;
}

const column = (name: string, property: keyof SurveyRecord, type = ""): SurveyColumn => ({
  name,
  value: (survey) => survey[property],
  read: `s.${name}${type} AS "${property}"`,
});

/** Milliseconds are read faster than dates. */
const timestamp = (name: string, property: "createdAt" | "updatedAt" | "draftEditedAt"): SurveyColumn => ({
  name,
  value: (survey) => new Date(survey[property]),
  read: `date_part('epoch', s.${name}) * 1000 AS "${property}"`,
});

export const keyColumns: readonly SurveyColumn[] = [
  column("workspace_id", "workspaceId"),
  column("survey_id", "surveyId"),
];

/** Every change writes these. */
export const changedColumns: readonly SurveyColumn[] = [
  column("name", "name"),
  { name: "name_key", value: ({ name }) => surveyNameKey(name) },
  column("description", "description"),
  column("language", "language"),
  column("type", "type"),
  column("active", "active"),
  column("settings", "settingsJson", "::text"),
  column("revision", "revision"),
  column("question_count", "questionCount"),
  column("published_version", "publishedVersion"),
  column("published_version_id", "publishedVersionId"),
  column("draft_changed", "draftChanged"),
  timestamp("updated_at", "updatedAt"),
  timestamp("draft_edited_at", "draftEditedAt"),
];

export const fixedColumns: readonly SurveyColumn[] = [
  timestamp("created_at", "createdAt"),
  column("owner_account_id", "ownerAccountId"),
];

const reads = [...keyColumns, ...changedColumns, ...fixedColumns].flatMap(({ read }) => read ?? []);

/** A negative count (an erasure counted before its completion) is 0. */
export const SURVEY_COLUMNS = `${reads.join(", ")}, greatest(c.response_count, 0) AS "responseCount"`;

/** A row as the driver returns it: int8 is text. */
export type SurveyRow = Omit<SurveyRecord, "responseCount"> & { responseCount: string };

export function toSurveyRecord<Row extends SurveyRow>(row: Row): Row & SurveyRecord {
  // Assigns in place: copying all columns is a notable cost of a single read.
  return Object.assign(row, {
    // 1763670385.123 * 1000 is not an integer in floating point.
    createdAt: Math.round(row.createdAt),
    updatedAt: Math.round(row.updatedAt),
    draftEditedAt: Math.round(row.draftEditedAt),
    responseCount: BigInt(row.responseCount),
  });
}
