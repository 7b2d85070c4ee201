import { validationFailed } from "@canvass/inputs";
import type { Axis } from "./axis.ts";
import type { AxisCategory } from "./groups-of.ts";
import { chiSquareOf } from "./chi-square.ts";
import type { ChiSquareAbsence, Crosstab, CrosstabCell, CrosstabMargin, ShownCategory } from "./crosstab.ts";
import { percentOf, rounded } from "./percent-of.ts";
import type { CrosstabInput } from "./tabulate.ts";
import { cellSumsOf } from "./cell-sums.ts";
import type { Place, Tally } from "./tally.ts";
import type { WeightingResult } from "./weighting.ts";
import { weightingFigures } from "./weighting-figures.ts";
import { isSmallGroup, requireCounted, withheldCategories } from "./withheld.ts";
import { smallestGroup } from "../require-group.ts";

/** Cells of a table, so that a response has a bounded size. */
export const mostCells = 2_500;

export interface Counted {
  rows: Axis;
  columns: Axis | null;
  tally: Tally;
  /** Of respondents with full anonymity, all in one group. */
  anonymous: Tally;
  /** How many of them the table counts, by group of respondents that are alike in all weighting variables. */
  anonymousByGroup: ReadonlyMap<number, number>;
  weighting: WeightingResult | null;
  matched: number;
  input: CrosstabInput;
}

export function crosstabOf(counted: Counted): Crosstab {
  const { rows, columns, tally, anonymous, weighting, matched, input } = counted;
  if (input.columns) {
    requireCounted(input.columns.path, anonymous.count(0, "all", "all"), missingOf(anonymous));
  }
  const { count, weigh } = cellSumsOf(tally, weighting?.weights);
  const rowPlaces = shownPlaces(rows, (place) => count(place, "all"));
  const columnPlaces = columns ? shownPlaces(columns, (place) => count("all", place)) : [];
  if (rowPlaces.length * Math.max(1, columnPlaces.length) > mostCells) throw tooLarge(input);
  if (weighting) requireLargeGroups(counted, [...rowPlaces, "none"], columns ? [...columnPlaces, "none"] : ["all"]);
  const withheldOf = (places: readonly number[], countOf: (place: Place) => number) =>
    columns ? withheldCategories(places.map(countOf), countOf("none"), countOf("all")) : new Set<number>();
  const withheld = {
    rows: withheldOf(rowPlaces, (place) => anonymous.count(0, place, "all")),
    columns: withheldOf(columnPlaces, (place) => anonymous.count(0, "all", place)),
  };
  const isWithheld = withheld.rows.size + withheld.columns.size > 0;
  const counts = rowPlaces.map((row) =>
    (columns ? columnPlaces : ["all" as const]).map((column) => weigh(row, column)),
  );
  const isMultiple = { rows: rows.isMultiple(), columns: columns?.isMultiple() ?? false };
  const takesSeveral = input.isMultiple || isMultiple.rows || isMultiple.columns;
  const byAnswers = takesSeveral && !isWithheld ? answerSums(counts) : null;
  const total = weigh("all", "all");
  const weighed = (value: number) => (weighting ? { weighted: rounded(value) } : {});

  const marginOf = (respondents: number, value: number, answers: number | undefined): CrosstabMargin => ({
    respondents,
    ...weighed(value),
    ofTotal: percentOf(value, total),
    ...(answers !== undefined && {
      byAnswers: { answers: rounded(answers), ofTotal: percentOf(answers, byAnswers!.all) },
    }),
  });
  const cellOf = (row: number, column: number): CrosstabCell | null => {
    if (withheld.rows.has(row) || withheld.columns.has(column)) return null;
    const [inRow, inColumn] = [rowPlaces[row]!, columnPlaces[column]!];
    const value = counts[row]![column]!;
    return {
      respondents: count(inRow, inColumn),
      ...weighed(value),
      ofRow: percentOf(value, weigh(inRow, "all")),
      ofColumn: percentOf(value, weigh("all", inColumn)),
      ofTotal: percentOf(value, total),
      ...(byAnswers && {
        byAnswers: {
          ofRow: percentOf(value, byAnswers.rows[row]!),
          ofColumn: percentOf(value, byAnswers.columns[column]!),
          ofTotal: percentOf(value, byAnswers.all),
        },
      }),
    };
  };
  const weights = weighting && weightingFigures(weighting, tally, input.weights);
  return {
    matched,
    counted: count("all", "all"),
    missing: { rows: count("missing", "all"), columns: count("all", "missing"), both: count("missing", "missing") },
    ...(weighting && { weighted: rounded(total) }),
    ...(byAnswers && { answers: rounded(byAnswers.all) }),
    rows: rowPlaces.map((place, row) => ({
      ...shownCategory(rows.categories()[place]!),
      total: marginOf(count(place, "all"), weigh(place, "all"), byAnswers?.rows[row]),
      cells: columnPlaces.map((_, column) => cellOf(row, column)),
    })),
    columns: columnPlaces.map((place, column) => ({
      ...shownCategory(columns!.categories()[place]!),
      total: marginOf(count("all", place), weigh("all", place), byAnswers?.columns[column]),
    })),
    isMultiple,
    ...testOf(counts, { ...input, isMultiple: takesSeveral }, isWithheld, weights?.effectiveSize),
    ...(weights && { weighting: weights }),
  };
}

/** Leaves out retired categories without respondents. */
const shownPlaces = (axis: Axis, count: (place: number) => number): number[] =>
  axis.order().filter((place) => !axis.categories()[place]!.isRetired || count(place) > 0);

function shownCategory({ id, label, entryCode, from, to }: AxisCategory): ShownCategory {
  return {
    id,
    label,
    ...(entryCode !== undefined && { code: entryCode }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function answerSums(counts: readonly (readonly number[])[]) {
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const rows = counts.map(sum);
  const columns = (counts[0] ?? []).map((_, column) => sum(counts.map((row) => row[column]!)));
  return { rows, columns, all: sum(rows) };
}

function testOf(
  counts: readonly (readonly number[])[],
  { columns, isMultiple }: CrosstabInput,
  isWithheld: boolean,
  effective: number | undefined,
): Pick<Crosstab, "chiSquare" | "chiSquareAbsent"> {
  const absent = (chiSquareAbsent: ChiSquareAbsence) => ({ chiSquare: null, chiSquareAbsent });
  if (columns === null) return absent("one_variable");
  if (isMultiple) return absent("several_answers");
  // With the margins, it would reveal a withheld cell.
  if (isWithheld) return absent("withheld");
  const chiSquare = chiSquareOf(counts, effective);
  return chiSquare ? { chiSquare } : absent("too_few_categories");
}

const missingOf = (tally: Tally): number =>
  tally.count(0, "missing", "all") + tally.count(0, "all", "missing") + tally.count(0, "missing", "missing");

/**
 * A weighted count would reveal the weighting variables of the few people in a cell, and by a large weight the cells of
 * the few who are alike in these variables.
 */
function requireLargeGroups(
  { anonymous, anonymousByGroup }: Pick<Counted, "anonymous" | "anonymousByGroup">,
  rows: readonly Place[],
  columns: readonly Place[],
): void {
  // With the margins, a cell also shows those of its row and column who are not in it.
  const isSmallCell = (row: Place, column: Place) => {
    const inCell = anonymous.count(0, row, column);
    const others = [anonymous.count(0, row, "all") - inCell, anonymous.count(0, "all", column) - inCell];
    return [inCell, ...others].some(isSmallGroup);
  };
  const hasSmallCells = rows.some((row) => columns.some((column) => isSmallCell(row, column)));
  if (!hasSmallCells && ![...anonymousByGroup.values()].some(isSmallGroup)) return;
  const message =
    `must not be used where a cell, the rest of its row or column, or a group that is alike in all weighting variables ` +
    `counts fewer than ${smallestGroup} respondents with full anonymity`;
  throw validationFailed([{ path: "weights", message }]);
}

function tooLarge({ columns, rows }: CrosstabInput) {
  return validationFailed([
    { path: (columns ?? rows).path, message: `must not make a table of more than ${mostCells} cells` },
  ]);
}
