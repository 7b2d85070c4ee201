import { AppError } from "@canvass/errors";
import { mostReportTables, refuseViolations, violationAt, violationsBelow, type Violation } from "@canvass/inputs";
import {
  reportTables,
  tableShapeViolations,
  type CrosstabBody,
  type SeriesBody,
  type SurveyDefinition,
} from "@canvass/questions";
import { isJsonObject } from "@canvass/values";
import type { TObject } from "typebox";
import type { ResponseContext } from "../../context.ts";
import { crosstabInLanguage, seriesInLanguage } from "../../domain/results/tables/in-language.ts";
import { readCrosstab, type ReadCrosstab } from "../../domain/results/tables/read-crosstab.ts";
import { readSeries, type ReadSeries } from "../../domain/results/tables/read-series.ts";
import { computeCrosstab, computeSeries, type CountedRespondents } from "./compute-tables.ts";

/** A table or series with its place in the request. */
interface Placed<Content> {
  path: string;
  content: Content;
}

interface Tables<Crosstab, Series> {
  crosstabs: Placed<Crosstab>[];
  series: Placed<Series>[];
}

export type GivenTables = Tables<CrosstabBody, SeriesBody>;
export type ReadTables = Tables<ReadCrosstab, ReadSeries>;

/** Parses the tables and series of a report (contract 7.15). Adds all violations that do not depend on the survey. */
export function parseReportTables(
  { crosstabJson, seriesJson }: { crosstabJson: readonly string[]; seriesJson: readonly string[] },
  violations: Violation[],
): GivenTables {
  if (crosstabJson.length + seriesJson.length > mostReportTables) {
    const message = `must be at most ${mostReportTables} together with \`crosstab\``;
    violations.push(...violationAt("series", message));
  }
  return {
    crosstabs: parseAll("crosstab", crosstabJson, reportTables.crosstab, violations),
    series: parseAll("series", seriesJson, reportTables.series, violations),
  };
}

function parseAll<Body>(
  name: string,
  given: readonly string[],
  schema: TObject,
  violations: Violation[],
): Placed<Body>[] {
  return given.flatMap((json, index) => {
    const path = `${name}.${index}`;
    const before = violations.length;
    const content = parseObject(json, path, violations);
    if (content) violations.push(...violationsBelow(path, tableShapeViolations(schema, content)));
    return violations.length === before ? [{ path, content: content as Body }] : [];
  });
}

function parseObject(json: string, path: string, violations: Violation[]) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    violations.push(...violationAt(path, "must be JSON"));
    return undefined;
  }
  if (isJsonObject(parsed)) return parsed;
  violations.push(...violationAt(path, "must be an object"));
  return undefined;
}

export interface ReportVersion {
  /** The version that collects. Requests name its entries by id, code or text. */
  definition: SurveyDefinition;
  /** The same version in the language of the report. */
  translation: SurveyDefinition;
  /** Of the workspace. */
  timeZone: string;
}

/** Reads tables and series by the version that collects. Adds all violations and leaves out what has some. */
export function readReportTables(
  { crosstabs, series }: GivenTables,
  { definition, translation, timeZone }: ReportVersion,
  violations: Violation[],
): ReadTables {
  const isTranslated = translation !== definition;
  return {
    crosstabs: readAll(crosstabs, violations, (body, found) => {
      const read = readCrosstab(body, definition, found);
      return read && isTranslated ? crosstabInLanguage(body, read, translation) : read;
    }),
    series: readAll(series, violations, (body, found) => {
      const read = readSeries(body, { definition, timeZone }, found);
      return read && isTranslated ? seriesInLanguage(body, read, translation) : read;
    }),
  };
}

function readAll<Body, Read>(
  given: readonly Placed<Body>[],
  violations: Violation[],
  read: (body: Body, found: Violation[]) => Read | undefined,
): Placed<Read>[] {
  return given.flatMap(({ path, content }) => {
    const found: Violation[] = [];
    const done = read(content, found);
    violations.push(...violationsBelow(path, found));
    return done ? [{ path, content: done }] : [];
  });
}

/**
 * Computes tables and series one after the other, as JSON. Throws `validation_failed` with the violations of all that
 * the answers make impossible, and the errors of `Computations.run`.
 */
export async function computeReportTables(
  context: Pick<ResponseContext, "computations">,
  counted: CountedRespondents,
  { crosstabs, series }: ReadTables,
  signal: AbortSignal,
): Promise<{ crosstabJson: string[]; seriesJson: string[] }> {
  const violations: Violation[] = [];
  async function computeAll<Read>(
    read: readonly Placed<Read>[],
    compute: (
      context: Pick<ResponseContext, "computations">,
      counted: CountedRespondents,
      read: Read,
      signal: AbortSignal,
    ) => Promise<object>,
  ) {
    const computed: string[] = [];
    for (const { path, content } of read) {
      try {
        computed.push(JSON.stringify(await compute(context, counted, content, signal)));
      } catch (error) {
        violations.push(...violationsOf(error, path));
      }
    }
    return computed;
  }
  const crosstabJson = await computeAll(crosstabs, computeCrosstab);
  const seriesJson = await computeAll(series, computeSeries);
  refuseViolations(violations);
  return { crosstabJson, seriesJson };
}

/** Violations of the filter are of the whole report. Throws other errors. */
function violationsOf(error: unknown, path: string): Violation[] {
  if (!(error instanceof AppError) || error.code !== "validation_failed") throw error;
  const placed = Object.entries(error.details as Record<string, string[]>);
  return placed.flatMap(([place, messages]) =>
    messages.map((message) => ({ path: place === "query" ? place : `${path}.${place}`, message })),
  );
}
