import {
  fieldFilter,
  fieldPrefix,
  mostFieldFilters,
  resultsQuery,
  shapeViolations,
  type Violation,
  violationAt,
} from "@canvass/inputs";
import { type Condition, indexOf, readCondition, type SurveyDefinition } from "@canvass/questions";
import type { ResultFilter } from "./result-filter.ts";

/** A filter as callers give it. */
export interface GivenFilter extends Omit<ResultFilter, "where"> {
  /** A language tag. */
  language?: string;
  /** A condition as JSON. */
  whereJson?: string;
}

export interface FilterContext {
  /** Of the version that collects. */
  definition: SurveyDefinition;
  latestVersion: number;
}

/** Reads a filter of results; undefined if nothing is filtered. Adds all violations at their places. */
export function readResultFilter(
  { language, whereJson, ...filter }: GivenFilter,
  { definition, latestVersion }: FilterContext,
  violations: Violation[],
): ResultFilter | undefined {
  const { from, to, distributorId, fields = {}, versionNumber } = filter;
  const { properties } = resultsQuery;
  if (from && to && from >= to) violations.push(...violationAt("to", "must be after from"));
  if (distributorId !== undefined) {
    violations.push(...shapeViolations(properties.distributorId, distributorId, "distributorId"));
  }
  if (versionNumber !== undefined && !(versionNumber >= 1 && versionNumber <= latestVersion)) {
    violations.push(...violationAt("versionNumber", "must be the number of a published version"));
  }
  violations.push(...fieldFilterViolations(fields, definition));
  const parts = [...ofLanguage(language, violations), ...ofWhere(whereJson, definition, violations)];
  const where = parts.length > 1 ? { all: parts } : parts[0];
  const given = Object.entries({ ...filter, where }).filter(([, part]) => part !== undefined);
  return given.length === 0 ? undefined : (Object.fromEntries(given) as ResultFilter);
}

/** Returns the violations of filters by hidden fields of a definition, at `field.<name>`. */
export function fieldFilterViolations(
  fields: Readonly<Record<string, string>>,
  definition: SurveyDefinition,
): Violation[] {
  const known = indexOf(definition).fields;
  const names = Object.keys(fields);
  const tooMany = violationAt("query", `must filter by at most ${mostFieldFilters} fields`);
  return [
    ...(names.length > mostFieldFilters ? tooMany : []),
    ...names.flatMap((name) => {
      const shape = shapeViolations(fieldFilter, fields[name], fieldPrefix + name);
      return known.has(name) ? shape : violationAt(fieldPrefix + name, "must name a hidden field of the survey");
    }),
  ];
}

/** One rule for languages: `de` stands for `de-AT`, too (contract 6.9). */
function ofLanguage(language: string | undefined, violations: Violation[]): Condition[] {
  if (language === undefined) return [];
  violations.push(...shapeViolations(resultsQuery.properties.language, language, "language"));
  return [{ language: true, operator: "equals", value: language }];
}

function ofWhere(json: string | undefined, definition: SurveyDefinition, violations: Violation[]): Condition[] {
  if (json === undefined) return [];
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    violations.push(...violationAt("where", "must be JSON"));
    return [];
  }
  const read = readCondition(definition, given, "where");
  if (read.violations) violations.push(...read.violations);
  return read.violations ? [] : [read.condition];
}
