import {
  type exportFormats,
  type exportHeadings,
  violationAt,
  joinViolations,
  refuseViolations,
  shapeViolations,
  type Violation,
} from "@canvass/inputs";
import { isTimeZone, type JsonObject, parseInstant } from "@canvass/values";
import { exportBody, type Condition, type ExportBody, type ExportLabels } from "@canvass/questions";
import { readResultFilter, type FilterContext } from "../results/read-result-filter.ts";

export type ExportFormatName = (typeof exportFormats)[number];

export type ExportHeadings = (typeof exportHeadings)[number];

export interface ExportOptions {
  format: ExportFormatName;
  labels: ExportLabels;
  /** Absent in older exports: texts. */
  headings?: ExportHeadings;
  /** Of texts. Absent: the survey's. */
  language?: string;
  bom: boolean;
  /** Absent in older exports: true. */
  escapeFormulas?: boolean;
  includePartial: boolean;
  includeTest: boolean;
  /** See contract 7.3. Absent in older exports: false. */
  includeOffPath?: boolean;
  /** Absent in older exports: false. */
  includeOrder?: boolean;
  /** ISO 8601. Respondents must have started at `from` or later, and before `to`. */
  from: string | null;
  to: string | null;
  /** Null: all. The same for `distributorIds`. */
  elementIds: readonly string[] | null;
  distributorIds: readonly string[] | null;
  /** Absent in older exports: all. The same for `where`. */
  versionNumber?: number | null;
  /** A condition on answers, hidden fields and the language. */
  where?: Condition | null;
  /** Names of hidden fields. Null, or absent in older exports: all. */
  fields?: readonly string[] | null;
  /** Attributes are named `attributes.<name>`. Null, or absent in older exports: none. */
  contactFields?: readonly string[] | null;
  timeZone: string;
}

export function readExportOptions(body: JsonObject, workspaceTimeZone: string): ExportOptions {
  const shape = shapeViolations(exportBody, body);
  const given = body as unknown as ExportBody;
  refuseViolations(joinViolations(shape, contentViolations(given)));
  return {
    format: given.format,
    labels: given.labels ?? "labels",
    headings: given.headings ?? "texts",
    ...(given.language !== undefined && { language: given.language }),
    bom: given.bom ?? false,
    escapeFormulas: given.escapeFormulas ?? true,
    includePartial: given.includePartial ?? false,
    includeTest: given.includeTest ?? false,
    includeOffPath: given.includeOffPath ?? false,
    includeOrder: given.includeOrder ?? false,
    from: timestamp(given.from),
    to: timestamp(given.to),
    elementIds: given.elementIds ?? null,
    distributorIds: given.distributorIds ?? null,
    versionNumber: given.versionNumber ?? null,
    fields: given.fields ?? null,
    contactFields: given.contactFields ?? null,
    timeZone: given.timeZone ?? workspaceTimeZone,
  };
}

/** Reads the filters of a request, as for results. Adds all violations. */
export function readExportFilter(
  { versionNumber, where }: JsonObject,
  context: FilterContext,
  violations: Violation[],
): Pick<ExportOptions, "where"> {
  const asked = {
    ...(typeof versionNumber === "number" && { versionNumber }),
    ...(where !== undefined && { whereJson: JSON.stringify(where) }),
  };
  return { where: readResultFilter(asked, context, violations)?.where ?? null };
}

const timestamp = (text: string | undefined): string | null =>
  text === undefined ? null : parseInstant(text)!.toISOString();

/** Fields of a wrong shape may have any type. */
function contentViolations({
  format,
  bom,
  escapeFormulas,
  from,
  to,
  fields,
  contactFields,
  timeZone,
}: ExportBody): Violation[] {
  const violations: Violation[] = [];
  const onlyCsv = { bom: bom === true, escapeFormulas: escapeFormulas === false };
  for (const [path, isAsked] of Object.entries(onlyCsv)) {
    if (isAsked && format !== "csv") violations.push(...violationAt(path, "goes with the format csv only"));
  }
  const [start, end] = [from, to].map((text) => (typeof text === "string" ? parseInstant(text) : undefined));
  const expected = "must be a date-time such as 2026-01-31T09:00:00Z";
  if (from !== undefined && !start) violations.push(...violationAt("from", expected));
  if (to !== undefined && !end) violations.push(...violationAt("to", expected));
  if (start && end && start >= end) violations.push(...violationAt("to", "must be later than from"));
  if (typeof timeZone === "string" && !isTimeZone(timeZone)) {
    violations.push(...violationAt("timeZone", "must be an IANA time zone such as Europe/Berlin"));
  }
  if (Array.isArray(fields)) violations.push(...repetitionViolations("fields", fields));
  if (Array.isArray(contactFields)) violations.push(...repetitionViolations("contactFields", contactFields));
  return violations;
}

const repetitionViolations = (path: string, names: readonly string[]): Violation[] =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: `${path}.${index}`, message: "is listed twice" }] : [],
  );
