import { validationFailed } from "@canvass/inputs";
import type { Variable } from "@canvass/questions";
import { mostCategories, type AxisInput, type DateUnit } from "./axis-input.ts";
import { groupsOf, type AxisCategory } from "./groups-of.ts";
import { valueReader, type TabledRespondents, type Value } from "./value-of.ts";

export interface Axis {
  /** Returns the places of a respondent's categories; null without a value. Throws at too many categories. */
  placesOf(respondent: TabledRespondents): readonly number[] | null;
  categories(): readonly AxisCategory[];
  /** Whether a respondent read is in several categories. */
  isMultiple(): boolean;
  /** Places in the order to show: known ones first, then those found, by number or text. */
  order(): number[];
}

export function createAxis({ source, categories, isClosed = false, edges, unit, path }: AxisInput): Axis {
  const known: AxisCategory[] = edges ? groupsOf(edges) : [...categories];
  const given = known.length;
  const retired = known.filter(({ isRetired }) => isRetired).length;
  const places = new Map(known.map(({ id }, place) => [id, place]));
  const read = valueReader(source);
  let isMultiple = false;

  function placesAt(id: string, label: () => string): number[] {
    const place = places.get(id);
    if (place !== undefined) return [place];
    if (isClosed) return [];
    if (known.length - retired >= mostCategories) throw tooMany(path);
    places.set(id, known.length);
    return [known.push({ id, label: label(), isRetired: false }) - 1];
  }

  return {
    placesOf(respondent) {
      const found = read(respondent);
      if (!found) return null;
      const { value, variable } = found;
      if (edges) return isNumber(value) ? [groupAt(edges, value)] : null;
      const ids = idsOf(value, unitOf(variable, unit));
      isMultiple ||= ids.length > 1;
      return ids.flatMap((id) =>
        placesAt(id, () => variable?.categories.find((category) => category.id === id)?.label ?? id),
      );
    },
    categories: () => known,
    isMultiple: () => isMultiple,
    order: () => {
      const found = known.map((_, place) => place).slice(given);
      return [...known.keys()].slice(0, given).concat(found.toSorted((a, b) => byId(known[a]!, known[b]!)));
    },
  };
}

const isNumber = (value: Value): value is number => typeof value === "number";

function idsOf(value: Value, unit: DateUnit | undefined): readonly string[] {
  if (Array.isArray(value)) return value as readonly string[];
  return [unit === undefined ? String(value) : cutTo(unit, String(value))];
}

/** A value is cut as its own version asks for it: a date may have been a time or a number before. */
function unitOf(variable: Variable | undefined, unit: DateUnit | undefined): DateUnit | undefined {
  if (variable?.kind === "time") return "hour";
  if (variable?.kind !== "date" && variable?.kind !== "datetime") return undefined;
  return unit === undefined || unit === "hour" ? "month" : unit;
}

const lengths: Record<DateUnit, number> = { year: 4, month: 7, day: 10, hour: 2 };
const cutTo = (unit: DateUnit, text: string): string => text.slice(0, lengths[unit]);

const groupAt = (edges: readonly number[], value: number): number => {
  const index = edges.findIndex((edge) => value < edge);
  return index < 0 ? edges.length : index;
};

function byId({ id: a }: AxisCategory, { id: b }: AxisCategory): number {
  const [first, second] = [Number(a), Number(b)];
  if (Number.isFinite(first) && Number.isFinite(second) && first !== second) return first - second;
  return a < b ? -1 : 1;
}

const tooMany = (path: string) =>
  validationFailed([
    {
      path,
      message: `has more than ${mostCategories} different values; numbers may be grouped by edges, dates by unit`,
    },
  ]);
