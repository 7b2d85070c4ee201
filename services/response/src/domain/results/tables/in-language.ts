import type { CrosstabBody, SeriesBody, SurveyDefinition, VariableInput } from "@canvass/questions";
import { readCrosstab, type ReadCrosstab } from "./read-crosstab.ts";
import { readSeries, type ReadSeries } from "./read-series.ts";
import { readVariable, type ShownVariable } from "./read-variable.ts";

/**
 * Reads a crosstab again by a translation of its version, for the translated texts. `read` is what was read by the
 * original, whose texts the words of `body` name.
 */
export function crosstabInLanguage(
  { rows, columns, weights = [] }: CrosstabBody,
  read: ReadCrosstab,
  translation: SurveyDefinition,
): ReadCrosstab {
  const inRows = byIds(rows, read.rows);
  const inColumns = columns && read.columns && byIds(columns, read.columns);
  const translated = readCrosstab({ rows: inRows, ...(inColumns && { columns: inColumns }) }, translation, []);
  if (!translated) return read;
  return {
    ...translated,
    input: { ...translated.input, weights: read.input.weights },
    weights: read.weights.map(
      (shown, index) => readVariable(byIds(weights[index]!, shown), "", translation, [])?.shown ?? shown,
    ),
  };
}

/** See `crosstabInLanguage`. */
export function seriesInLanguage(
  { by, measure, ...given }: SeriesBody,
  read: ReadSeries,
  translation: SurveyDefinition,
): ReadSeries {
  const { timeZone } = read.input;
  const ids = read.categories.map(({ id }) => id);
  const body = { ...byIds(given, read.variable), by, measure, ...(ids.length > 0 && { categories: ids }) };
  return readSeries(body, { definition: translation, timeZone }, []) ?? read;
}

function byIds({ field, known, edges, unit }: VariableInput, shown: ShownVariable): VariableInput {
  const { elementId, part, item } = shown;
  return {
    ...(elementId !== undefined && { elementId }),
    ...(field !== undefined && { field }),
    ...(known !== undefined && { known }),
    ...(part && { part: part.map(({ id }) => id) }),
    ...(item && { item: item.id }),
    ...(edges && { edges }),
    ...(unit !== undefined && { unit }),
  };
}
