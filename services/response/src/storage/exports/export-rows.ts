import type { Sql } from "@canvass/postgres";
import type { ExportOptions } from "../../domain/exports/export-options.ts";
import { anyStart, startBound, startsBetweenSql } from "../start-bounds.ts";

export interface ExportedRespondents {
  workspaceId: string;
  surveyId: string;
  options: ExportOptions;
  /** Leaves out respondents that start later, so that the walk ends. */
  startedUntil: Date;
}

export interface ExportRow {
  respondentId: string;
  versionId: string;
  versionNumber: number;
  contactId: string;
  orderSeed: number | null;
  isScreenedOut: boolean;
  /** Values of hidden fields as JSON. */
  fields: string;
  /** A CollectedRow as JSON, up to its answers. */
  line: string;
}

/** Limits of a page: respondents, bytes of text, stored bytes. A larger respondent has its own page. */
const page = { rows: 500, bytes: 4 * 1024 * 1024, storedBytes: 256 * 1024 };
/** Contact values per page. They are read later, up to a thousand characters each. */
const mostContactValues = 4_000;

/** Returns the next respondents after an id, with their answers as JSON text. Empty at the end. */
export function findExportRows(
  sql: Sql,
  { workspaceId, surveyId, options, startedUntil }: ExportedRespondents,
  after: string,
): Promise<ExportRow[]> {
  const {
    includePartial,
    includeTest,
    includeOffPath = false,
    from,
    to,
    distributorIds,
    versionNumber = null,
    contactFields,
    timeZone,
  } = options;
  const rows = contactFields ? Math.min(page.rows, Math.floor(mostContactValues / contactFields.length)) : page.rows;
  return sql.query<ExportRow>(PAGE, [
    workspaceId,
    surveyId,
    after,
    startedUntil,
    includePartial,
    includeTest,
    from ? startBound(new Date(from), timeZone) : anyStart.from,
    to ? startBound(new Date(to), timeZone) : anyStart.to,
    distributorIds,
    rows,
    page.bytes,
    page.storedBytes,
    includeOffPath,
    versionNumber,
  ]);
}

// Anonymous starts are days in a time zone, hence the interval. Stored sizes are known without reading answers, so only
// rows that may fit are read. The sums exclude the row itself, so the first row fits. json_agg of long answers is
// thirty times slower.
const PAGE = `WITH chosen AS (
    SELECT r.*, given.stored FROM respondents r CROSS JOIN LATERAL (
      SELECT sum(pg_column_size(s.answers)) AS stored FROM answer_sets s
      WHERE (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id)) AS given
    WHERE r.workspace_id = $1 AND r.survey_id = $2 AND r.respondent_id > $3
      AND r.started_at <= $4::timestamptz + CASE WHEN r.is_anonymous THEN interval '1 day' ELSE interval '0' END
      AND (r.completed_at IS NOT NULL OR ($5::boolean AND given.stored IS NOT NULL))
      AND ($6::boolean OR NOT r.is_test)
      AND ${startsBetweenSql("$7", "$8")}
      AND ($9::text[] IS NULL OR r.distributor_id = ANY($9::text[])) AND ($14::int IS NULL OR r.version_number = $14)
    ORDER BY r.respondent_id LIMIT $10::int),
  readable AS (
    SELECT * FROM (
      SELECT *, coalesce(sum(stored) OVER (ORDER BY respondent_id) - stored, 0) AS stored_before FROM chosen) AS summed
    WHERE stored_before < $12::int),
  lines AS (
    SELECT r.respondent_id, r.version_id, r.version_number, r.contact_id, r.order_seed, r.is_screened_out,
      r.fields::text AS fields,
      rtrim(json_build_array(r.respondent_id, r.is_anonymous, r.is_test,
      floor(extract(epoch FROM r.started_at) * 1000)::int8, floor(extract(epoch FROM r.completed_at) * 1000)::int8,
      r.version_number, r.language, r.distributor_id, r.contact_id, r.metadata)::text, ']') || ', '
      || coalesce('[' || given.answers || ']', 'null') || ']' AS line
    FROM readable r CROSS JOIN LATERAL (
      SELECT string_agg((CASE WHEN $13::boolean OR s.off_path IS NULL THEN s.answers ELSE s.answers - s.off_path END)::text, ', ')
        AS answers FROM answer_sets s
      WHERE (s.workspace_id, s.respondent_id) = (r.workspace_id, r.respondent_id)) AS given)
  SELECT respondent_id AS "respondentId", version_id AS "versionId", version_number AS "versionNumber",
    contact_id AS "contactId", order_seed AS "orderSeed", is_screened_out AS "isScreenedOut", fields, line FROM (
    SELECT *, sum(octet_length(line) + octet_length(fields)) OVER (ORDER BY respondent_id)
      - octet_length(line) - octet_length(fields) AS bytes_before FROM lines) AS measured
  WHERE bytes_before < $11::int ORDER BY respondent_id`;
