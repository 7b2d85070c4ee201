import type { Said } from "./naive-logic.ts";
import type { Asked, Person, Questionnaire } from "./questionnaire.ts";

export interface ExpectedStats {
  name: string;
  responseCount: number;
  uniqueRespondents: number;
  distribution: object;
}

/** Figures of every question, of all respondents with answers (contract 7.7). */
export function expectedStats({ asked }: Questionnaire, people: readonly Person[]): ExpectedStats[] {
  return asked.map((own) => {
    const { name } = own.element;
    const given = people.map(({ answers }) =>
      [...answers].flatMap(([place, said]) => (place.split(":")[0] === name ? [said] : [])),
    );
    return {
      name,
      responseCount: given.flat().length,
      uniqueRespondents: given.filter(({ length }) => length > 0).length,
      distribution: distributionOf(own, given.flat()),
    };
  });
}

function distributionOf({ element, entries }: Asked, given: readonly Said[]): object {
  const values = given.flatMap((said) => (said.kind === "plain" ? [said.value] : []));
  const numbers = values.filter((value) => typeof value === "number");
  const count = (fits: (said: Said) => boolean) => given.filter(fits).length;
  const countOf = (value: unknown) => values.filter((each) => each === value).length;
  const scale = (low: number, high: number) => ({
    ...extremes(numbers),
    mean: meanOf(numbers),
    counts: Object.fromEntries(Array.from({ length: high - low + 1 }, (_, at) => [low + at, countOf(low + at)])),
  });
  switch (element.type) {
    case "multiple_choice": {
      const chosen = [...entries].map(([id, entry]) => [
        id,
        count((said) =>
          said.kind === "several" ? said.entries.includes(entry) : said.kind === "one" && said.entry === entry,
        ),
      ]);
      return { counts: Object.fromEntries(chosen) };
    }
    case "yes_no":
      return { counts: { true: countOf(true), false: countOf(false) } };
    case "rating":
      return scale(1, (element.typeSettings?.["steps"] as number | undefined) ?? 5);
    case "nps": {
      const part = (from: number, to: number) => numbers.filter((score) => from <= score && score <= to).length;
      const [detractors, passives, promoters] = [part(0, 6), part(7, 8), part(9, 10)];
      const score = numbers.length === 0 ? null : ((promoters - detractors) / numbers.length) * 100;
      return { ...scale(0, 10), detractors, passives, promoters, score };
    }
    case "number": {
      const bars = [...new Set(numbers)].toSorted((one, other) => one - other);
      const width = Math.min(...bars.map(lastDecimal));
      const histogram = bars.map((from) => ({ from, to: rounded(from + width), count: countOf(from) }));
      return { ...extremes(numbers), mean: meanOf(numbers), histogram };
    }
    case "date_time": {
      const dates = values.map(String).toSorted();
      const months = [...new Set(dates.map((date) => date.slice(0, 7)))];
      const counts = months.map((month) => [month, dates.filter((date) => date.startsWith(month)).length]);
      return { min: dates[0] ?? null, max: dates.at(-1) ?? null, counts: Object.fromEntries(counts) };
    }
    case "matrix":
      return { rows: countCells([...entries], given) };
    case "form": {
      const filled = [...entries].map(([id, row]) => [
        id,
        count((said) => said.kind === "rows" && said.cells.has(row)),
      ]);
      return { counts: Object.fromEntries(filled) };
    }
    default:
      return {};
  }
}

/** By row and column, without zeros. */
function countCells(entries: readonly (readonly [string, object])[], given: readonly Said[]): object {
  const rows: Record<string, Record<string, number>> = {};
  for (const said of given) {
    if (said.kind !== "rows") continue;
    for (const [row, column] of said.cells) {
      const [rowId, columnId] = [row, column].map((entry) => entries.find(([, each]) => each === entry)![0]);
      const counts = (rows[rowId!] ??= {});
      counts[columnId!] = (counts[columnId!] ?? 0) + 1;
    }
  }
  return rows;
}

function extremes(numbers: readonly number[]) {
  return {
    min: numbers.length > 0 ? Math.min(...numbers) : null,
    max: numbers.length > 0 ? Math.max(...numbers) : null,
  };
}

function meanOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const hundredths = numbers.reduce((sum, each) => sum + Math.round(each * 100), 0);
  return hundredths / 100 / numbers.length;
}

/** Of numbers with at most two decimals. */
function lastDecimal(number: number): number {
  return 10 ** -(String(number).split(".")[1] ?? "").length;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
