import { violationAt, type Violation } from "@canvass/inputs";
import { findEntry, type Measure, type SeriesBody, type SurveyDefinition } from "@canvass/questions";
import { isTimeZone } from "@canvass/values";
import {
  namedCategories,
  readVariable,
  shownEntry,
  type ReadVariable,
  type ShownEntry,
  type ShownVariable,
} from "./read-variable.ts";
import type { SeriesInput } from "./series.ts";

export interface ReadSeries {
  input: SeriesInput;
  variable: ShownVariable;
  /** Of a share. */
  categories: ShownEntry[];
}

/** Reads a series by the version that collects. Adds all violations; undefined if there are any. */
export function readSeries(
  { by, measure, categories: words, timeZone, ...given }: SeriesBody,
  { definition, timeZone: usual }: { definition: SurveyDefinition; timeZone: string },
  violations: Violation[],
): ReadSeries | undefined {
  const before = violations.length;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    violations.push(...violationAt("timeZone", "must be an IANA time zone such as Europe/Berlin"));
  }
  const read = readVariable(given, "", definition, violations);
  if (measure === "share" && !words) violations.push(...violationAt("categories", "is required for a share"));
  if (measure !== "share" && words) violations.push(...violationAt("categories", "goes with a share only"));
  if (!read) return undefined;
  const possible = measuresOf(read);
  if (!possible.includes(measure)) {
    const message =
      possible.length > 0 ? `must be ${possible.join(" or ")} for this variable` : "is not there for this variable";
    violations.push(...violationAt("measure", message));
  }
  const categories = measure === "share" ? readCategories(words ?? [], read, violations) : [];
  if (violations.length > before) return undefined;
  const ids = categories.map(({ id }) => id);
  const { source } = read.axis;
  return {
    input: { source, by, measure, categories: ids, timeZone: timeZone ?? usual },
    variable: read.shown,
    categories,
  };
}

const measuresOf = ({ variable, isNumber }: ReadVariable): readonly Measure[] =>
  variable?.measures ?? (isNumber ? ["mean"] : ["share"]);

function readCategories(words: readonly string[], read: ReadVariable, violations: Violation[]): ShownEntry[] {
  const known = namedCategories(read);
  return words.flatMap((word, index) => {
    const entry = known ? findEntry(known, word) : { id: word, label: word };
    if (!entry) violations.push({ path: `categories.${index}`, message: "must name a category" });
    return entry ? [shownEntry(entry)] : [];
  });
}
