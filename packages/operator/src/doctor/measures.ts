import type { Sample } from "./exposition.ts";

export type Figure = { labels: Readonly<Record<string, string>>; value: number };

export type Readings = { before: readonly Sample[]; after: readonly Sample[] };

/** A figure computed in two ways: by Prometheus, and from two readings. */
export type Measure = { promql: string; read: (readings: Readings) => Figure[] };

/** Smaller counts give no meaningful share or percentile. */
const fewest = 20;

export function highest(metric: string, by: readonly string[]): Measure {
  return {
    promql: `max ${grouped(by)}(${metric})`,
    read: ({ after }) => perGroup(of(after, metric), by, (samples) => greatest(values(samples))),
  };
}

export function lowest(metric: string, by: readonly string[]): Measure {
  return {
    promql: `min ${grouped(by)}(${metric})`,
    read: ({ after }) => perGroup(of(after, metric), by, (samples) => least(values(samples))),
  };
}

/** The highest value that lasted: each series counts with its minimum over time. */
export function sustained(metric: string, by: readonly string[]): Measure {
  return {
    promql: `max ${grouped(by)}(min_over_time(${metric}[1m]))`,
    read({ before, after }) {
      const known = new Map(of(before, metric).map((sample) => [keyOf(sample, sample.labels), sample.value]));
      const lasted = of(after, metric).map((sample) => {
        return { ...sample, value: Math.min(sample.value, known.get(keyOf(sample, sample.labels)) ?? 0) };
      });
      return perGroup(lasted, by, (samples) => greatest(values(samples)));
    },
  };
}

/** Seconds until the timestamp in the metric. */
export function secondsUntil(metric: string, by: readonly string[]): Measure {
  return {
    promql: `min ${grouped(by)}(${metric}) - time()`,
    read: ({ after }) =>
      perGroup(of(after, metric), by, (samples) => least(samples.map(({ value, at }) => value - at))),
  };
}

/** The largest difference between clocks, in seconds. */
export function clockSpread(metric: string): Measure {
  return {
    promql: `max(${metric} - timestamp(${metric})) - min(${metric} - timestamp(${metric}))`,
    read({ after }) {
      const offsets = of(after, metric).map(({ value, at }) => value - at);
      return offsets.length === 0 ? [] : [{ labels: {}, value: greatest(offsets) - least(offsets) }];
    },
  };
}

export function distinct(metric: string, label: string): Measure {
  return {
    promql: `count(count by (${label}) (${metric}))`,
    read: ({ after }) => [{ labels: {}, value: new Set(of(after, metric).map(({ labels }) => labels[label])).size }],
  };
}

/** The share of a counter's increase whose label matches `matches`, or with `not` does not. */
export function share(
  metric: string,
  matcher: { label: string; matches: RegExp; not?: true },
  window: string,
): Measure {
  const { label, matches, not } = matcher;
  const selected = `${metric}{${label}${not ? "!~" : "=~"}"${matches.source}"}`;
  const whole = new RegExp(`^(?:${matches.source})$`);
  return {
    promql: `sum(rate(${selected}[${window}])) / sum(rate(${metric}[${window}]))`,
    read(readings) {
      const all = increases(readings, metric);
      const total = sum(values(all));
      const chosen = all.filter(({ labels }) => whole.test(labels[label] ?? "") !== Boolean(not));
      return total < fewest ? [] : [{ labels: {}, value: sum(values(chosen)) / total }];
    },
  };
}

export function percentile99(metric: string, by: readonly string[], window: string): Measure {
  const sumBy = [...by, "le"].join(", ");
  return {
    promql: `histogram_quantile(0.99, sum by (${sumBy}) (rate(${metric}_bucket[${window}])))`,
    read(readings) {
      const groups = Map.groupBy(increases(readings, `${metric}_bucket`), (sample) =>
        keyOf(sample, picked(sample, by)),
      );
      return [...groups.values()].flatMap((buckets) => {
        const value = percentile(0.99, buckets);
        return value === undefined ? [] : [{ labels: picked(buckets[0]!, by), value }];
      });
    },
  };
}

export const onlyPrometheus = (promql: string): Measure => ({ promql, read: () => [] });

/** Returns the upper bound of the percentile's bucket; for the last bucket, which has none, the lower bound. */
function percentile(rank: number, buckets: readonly Sample[]): number | undefined {
  const counts = Map.groupBy(buckets, ({ labels }) => Number(labels["le"]?.replace("Inf", "Infinity")));
  const ends = [...counts.keys()].filter((end) => !Number.isNaN(end)).sort((a, b) => a - b);
  const countUntil = (end: number) => sum(values(counts.get(end) ?? []));
  const all = countUntil(Number.POSITIVE_INFINITY);
  if (all < fewest) return undefined;
  const found = ends.findIndex((end) => countUntil(end) >= rank * all);
  return ends[Math.min(found, ends.length - 2)];
}

function increases({ before, after }: Readings, metric: string): Sample[] {
  const known = new Map(of(before, metric).map((sample) => [keyOf(sample, sample.labels), sample.value]));
  return of(after, metric).map((sample) => {
    return { ...sample, value: Math.max(sample.value - (known.get(keyOf(sample, sample.labels)) ?? 0), 0) };
  });
}

function perGroup(samples: readonly Sample[], by: readonly string[], figure: (samples: Sample[]) => number): Figure[] {
  const groups = Map.groupBy(samples, (sample) => keyOf(sample, picked(sample, by)));
  return [...groups.values()].map((group) => ({ labels: picked(group[0]!, by), value: figure(group) }));
}

const of = (samples: readonly Sample[], metric: string) => samples.filter(({ name }) => name === metric);
const values = (samples: readonly Sample[]) => samples.map(({ value }) => value);
// Math.max limits the number of its arguments.
const greatest = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other), -Infinity);
const least = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.min(one, other), Infinity);
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const grouped = (by: readonly string[]) => (by.length === 0 ? "" : `by (${by.join(", ")}) `);
const picked = ({ labels }: Sample, by: readonly string[]) =>
  Object.fromEntries(by.filter((name) => labels[name] !== undefined).map((name) => [name, labels[name]!]));
const keyOf = ({ name }: Sample, labels: object) => `${name} ${JSON.stringify(labels)}`;
