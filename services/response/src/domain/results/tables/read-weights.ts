import { joinPath, type Violation } from "@canvass/inputs";
import { findEntry, type CrosstabBody, type SurveyDefinition } from "@canvass/questions";
import type { AxisCategory } from "./groups-of.ts";
import { namedCategories, readVariable, type ReadVariable } from "./read-variable.ts";
import type { WeightingInput } from "./weighting.ts";

type Weight = NonNullable<CrosstabBody["weights"]>[number];

export type ReadWeight = Pick<ReadVariable, "shown"> & { input: WeightingInput };

/** Reads weighting variables and their targets. Adds all violations. */
export function readWeights(
  weights: readonly Weight[],
  definition: SurveyDefinition,
  violations: Violation[],
): ReadWeight[] {
  return weights.flatMap(({ targets, ...given }, index): ReadWeight[] => {
    const path = `weights.${index}`;
    const read = readVariable(given, path, definition, violations);
    if (!read) return [];
    if (read.shown.isMultiple) violations.push({ path, message: "must not take several answers" });
    const known = namedCategories(read);
    const sizes = new Map<string, number>();
    const found: AxisCategory[] = [];
    for (const [at, { category, size }] of targets.entries()) {
      const entry = known ? findEntry(known, category) : { id: category, label: category };
      const message = !entry ? "must name a category" : sizes.has(entry.id) ? "is listed twice" : undefined;
      if (message !== undefined) violations.push({ path: joinPath(path, `targets.${at}.category`), message });
      if (!entry || message !== undefined) continue;
      sizes.set(entry.id, size);
      found.push({ isRetired: false, ...entry });
    }
    const { edges, ...axis } = read.axis;
    const categories = edges ? (known as AxisCategory[]) : found;
    const closed = { ...axis, ...(edges && { edges }), categories, isClosed: true };
    const input = { axis: closed, targets: categories.map(({ id }) => sizes.get(id) ?? null) };
    return [{ shown: read.shown, input }];
  });
}
