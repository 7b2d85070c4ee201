import { violationAt, type Violation } from "@canvass/inputs";
import type { TableFilters } from "@canvass/questions";
import { parseInstant } from "@canvass/values";
import { readResultFilter, type FilterContext } from "../read-result-filter.ts";
import type { ResultFilter } from "../result-filter.ts";

/** Reads the filters of a body. Adds all violations at its fields. */
export function readTableFilter(
  { completed, from, to, distributorId, language, fields, versionNumber, where }: TableFilters,
  context: FilterContext,
  violations: Violation[],
): ResultFilter {
  const instant = (name: string, text: string | undefined) => {
    if (text === undefined) return {};
    const at = parseInstant(text);
    if (!at) violations.push(...violationAt(name, "must be a date-time such as 2026-01-31T09:00:00Z"));
    return at ? { [name]: at } : {};
  };
  const found: Violation[] = [];
  const filter = readResultFilter(
    {
      ...(completed !== undefined && { isCompleted: completed }),
      ...instant("from", from),
      ...instant("to", to),
      ...(distributorId !== undefined && { distributorId }),
      ...(language !== undefined && { language }),
      ...(fields && Object.keys(fields).length > 0 && { fields }),
      ...(versionNumber !== undefined && { versionNumber }),
      ...(where !== undefined && { whereJson: JSON.stringify(where) }),
    },
    context,
    found,
  );
  violations.push(...found.map(({ path, message }) => ({ path: inBody(path), message })));
  return filter ?? {};
}

/** A query names a hidden field as `field.<name>`. */
const inBody = (path: string): string => (path === "query" ? "fields" : path.replace(/^field\./, "fields."));
