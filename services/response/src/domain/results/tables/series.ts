import { validationFailed } from "@canvass/inputs";
import type { Measure } from "@canvass/questions";
import type { ValueSource } from "./axis-input.ts";
import { percentOf } from "./percent-of.ts";
import { bucketsBetween, createBucketOf, type BucketUnit } from "./time-buckets.ts";
import { valueReader, type FoundValue, type TabledRespondents } from "./value-of.ts";
import { requireCounted, withheldGroups } from "./withheld.ts";

export interface SeriesInput {
  source: ValueSource;
  by: BucketUnit;
  timeZone: string;
  measure: Measure;
  /** Of a share: ids of the categories of which one is chosen. */
  categories: readonly string[];
}

/** A time with the respondents who started in it and have a value. `value` is null without any, or withheld. */
export interface SeriesPoint {
  /** The first day. */
  from: string;
  respondents: number;
  value: number | null;
  isWithheld?: true;
  promoters?: number;
  passives?: number;
  detractors?: number;
}

export interface Series {
  matched: number;
  counted: number;
  missing: number;
  /** Of all times together. */
  value: number | null;
  points: SeriesPoint[];
}

export const mostPoints = 1_000;

interface Sums {
  respondents: number;
  anonymous: number;
  sum: number;
  promoters: number;
  detractors: number;
}

const noSums = (): Sums => ({ respondents: 0, anonymous: 0, sum: 0, promoters: 0, detractors: 0 });

/** Computes a measure by the time of the start. Throws `validation_failed` at too many points. */
export async function computeSeries(
  respondents: AsyncIterable<readonly TabledRespondents[]>,
  { source, by, timeZone, measure, categories }: SeriesInput,
): Promise<Series> {
  const read = valueReader(source);
  const wanted = new Set(categories);
  const bucketOf = createBucketOf(by, timeZone);
  // Of full anonymity the day is stored as a time in UTC.
  const dayOf = createBucketOf(by, "UTC");
  const buckets = new Map<string, Sums>();
  const all = noSums();
  let [matched, anonymous] = [0, 0];
  for await (const some of respondents) {
    for (const respondent of some) {
      const { count, isAnonymous, startedAt } = respondent;
      matched += count;
      anonymous += isAnonymous ? count : 0;
      const found = read(respondent);
      const value = found && (measure === "share" ? Number(isWanted(found, wanted)) : numberOf(found));
      if (value === null) continue;
      const bucket = (isAnonymous ? dayOf : bucketOf)(startedAt);
      const sums = buckets.get(bucket) ?? noSums();
      buckets.set(bucket, sums);
      if (buckets.size > mostPoints) throw tooManyPoints();
      for (const each of [sums, all]) add(each, value, count, isAnonymous);
    }
  }
  requireCounted("by", all.anonymous, anonymous - all.anonymous);
  const days = [...buckets.keys()].toSorted();
  const between = days.length === 0 ? [] : bucketsBetween(by, days[0]!, days.at(-1)!, mostPoints);
  if (!between) throw tooManyPoints();
  const sumsOf = between.map((day) => buckets.get(day) ?? noSums());
  const withheld = withheldGroups(sumsOf.map(({ anonymous }) => anonymous));
  const points = between.map((from, index): SeriesPoint => {
    const { respondents: counted } = sumsOf[index]!;
    if (withheld.has(index)) return { from, respondents: counted, value: null, isWithheld: true };
    return { from, respondents: counted, ...figuresOf(measure, sumsOf[index]!) };
  });
  return {
    matched,
    counted: all.respondents,
    missing: matched - all.respondents,
    value: figuresOf(measure, all).value,
    points,
  };
}

const isWanted = ({ value }: FoundValue, wanted: ReadonlySet<string>): boolean =>
  (Array.isArray(value) ? (value as readonly string[]) : [String(value)]).some((id) => wanted.has(id));

/** Returns the number of a scale's step, or a number; null for a text, as of a field that had another format. */
function numberOf({ value }: FoundValue): number | null {
  if (Array.isArray(value)) return Number(value[0]);
  return typeof value === "number" ? value : null;
}

function add(sums: Sums, value: number, count: number, isAnonymous: boolean): void {
  sums.respondents += count;
  sums.anonymous += isAnonymous ? count : 0;
  sums.sum += value * count;
  if (value >= 9) sums.promoters += count;
  if (value <= 6) sums.detractors += count;
}

type Figures = Pick<SeriesPoint, "value" | "promoters" | "passives" | "detractors">;

function figuresOf(measure: Measure, { respondents, sum, promoters, detractors }: Sums): Figures {
  if (measure === "mean") return { value: respondents === 0 ? null : sum / respondents };
  if (measure === "share") return { value: percentOf(sum, respondents) };
  const score = respondents === 0 ? null : ((promoters - detractors) / respondents) * 100;
  return { value: score, promoters, passives: respondents - promoters - detractors, detractors };
}

function tooManyPoints() {
  return validationFailed([
    {
      path: "by",
      message: `makes more than ${mostPoints} points; choose a longer period, or fewer days by from and to`,
    },
  ]);
}
