import { type Violation, violationAt, noViolations } from "@canvass/inputs";
import { longestTimestamp } from "@canvass/values";
import { Type, type Static } from "typebox";
import { lowerLimit, upperLimit } from "../change-class.ts";
import { orderedConditions } from "../conditions/targets.ts";
import { dateTimeModes, formatTimestamp, timestampBucket, parseTimestamp, type DateTimeMode } from "../dates.ts";
import type { Question } from "../definition.ts";
import { oneColumn, oneText, plainCell } from "../export-cells.ts";
import { pipedTimestamp } from "../piping/piped-answers.ts";
import { isNull } from "../plain-text.ts";
import type { QuestionType } from "../question-type.ts";
import { nullable, perQuestion, settingsObject, settingsReader } from "../type-settings.ts";
import { accepts } from "../samples/accepts.ts";
import { skewedRandom } from "../samples/random.ts";

const settings = settingsObject({
  mode: Type.Enum(dateTimeModes, { default: "date" }),
  min: nullable(Type.String({ maxLength: longestTimestamp })),
  max: nullable(Type.String({ maxLength: longestTimestamp })),
});
const settingsOf = settingsReader(settings);

/** The mode of merged versions whose modes differ: their answers make a column of texts. */
const mixed = "mixed";

const expected: Record<DateTimeMode, string> = {
  date: "a date such as 2026-01-31",
  time: "a time such as 17:30",
  datetime: "a date and time such as 2026-01-31T17:30Z",
};

const limitsOf = perQuestion((question) => {
  const { mode, min, max } = settingsOf(question);
  return { least: position(mode, min) ?? -Infinity, most: position(mode, max) ?? Infinity };
});

const hour = 3_600_000;
const quarterHour = hour / 4;
const year = 365 * 24 * hour;
const in2025 = { from: Date.UTC(2025, 0, 1), span: year };
const usual = { date: in2025, datetime: in2025, time: { from: 8 * hour, span: 12 * hour } };

export const dateTime: QuestionType<typeof settings> = {
  number: 11,
  typeName: "date_time",
  summary:
    "A date, a time of day or a date with time (ISO 8601), kept as written and counted by milliseconds; without an offset a date-time counts as UTC.",
  answerable: true,
  settings,
  lists: {},
  shorthands: {},
  valueSchema: Type.String({ maxLength: longestTimestamp }),
  distributionShape: "timestamps",
  conditions: orderedConditions(timestampTarget),
  comparedAs: (question, value) => (typeof value === "string" ? position(settingsOf(question).mode, value) : null),

  settingEffects: (before, after) => ({
    mode: "breaking",
    min: lowerLimit(position(before.mode, before.min), position(after.mode, after.min)),
    max: upperLimit(position(before.mode, before.max), position(after.mode, after.max)),
  }),

  checkSettings,

  mergeSettings: (older, newer) => ({ ...newer, mode: older.mode === newer.mode ? newer.mode : mixed }),

  checkValue(question, value) {
    const { mode, min, max } = settingsOf(question);
    const timestamp = typeof value === "string" ? parseTimestamp(mode, value) : null;
    if (timestamp === null) return violationAt("", `must be ${expected[mode]}`);
    const { least, most } = limitsOf(question);
    if (timestamp < least) return violationAt("", `must not be before ${min}`);
    return timestamp > most ? violationAt("", `must not be after ${max}`) : noViolations;
  },

  sample(question, random) {
    const { mode, min, max } = settingsOf(question);
    const { least, most } = limitsOf(question);
    const from = Number.isFinite(least) ? least : Math.min(usual[mode].from, most - usual[mode].span);
    const to = Number.isFinite(most) ? most : Math.max(usual[mode].from, from) + usual[mode].span;
    const position = from + skewedRandom(random) * (to - from);
    const whole = Math.round(position / quarterHour) * quarterHour;
    return [formatTimestamp(mode, whole), formatTimestamp(mode, position), min, max].find(accepts(dateTime, question));
  },
  isEmpty: isNull,
  pipedText: (question, value, language) => pipedTimestamp(settingsOf(question).mode, value, language),

  tally(question, value) {
    const { mode } = settingsOf(question);
    const timestamp = parseTimestamp(mode, value as string) ?? 0;
    return { buckets: { [timestampBucket(mode, timestamp)]: 1 }, number: timestamp };
  },

  /** Answers to older versions may be of another mode. An edge that is one of these is null. */
  distribution(question, { buckets, min, max }) {
    const { mode } = settingsOf(question);
    const counts = Object.fromEntries([...buckets].filter(([, count]) => count !== 0).sort(byBucket));
    const isMixed = Object.keys(counts).some((bucket) => isHour(bucket) !== (mode === "time"));
    const edge = (timestamp: number | null) =>
      timestamp === null || (isMixed && isTimeOfDay(timestamp) !== (mode === "time"))
        ? null
        : formatTimestamp(mode, timestamp);
    return { min: edge(min), max: edge(max), counts };
  },

  exportColumns(question) {
    if (question.typeSettings["mode"] === mixed) return oneText(question);
    return oneColumn(question, { kind: settingsOf(question).mode, measure: "scale", values: [] });
  },
  exportCells: (_question, value) => [plainCell(value)],
};

function timestampTarget(question: Question, target: unknown): string | null {
  const { mode } = settingsOf(question);
  return typeof target === "string" && parseTimestamp(mode, target) !== null ? null : `must be ${expected[mode]}`;
}

function position(mode: DateTimeMode, text: string | null): number | null {
  return text === null ? null : parseTimestamp(mode, text);
}

function checkSettings({ mode, min, max }: Static<typeof settings>): readonly Violation[] {
  const violations: Violation[] = [];
  const [least, most] = [position(mode, min), position(mode, max)];
  if (min !== null && least === null) violations.push({ path: "min", message: `must be ${expected[mode]}` });
  if (max !== null && most === null) violations.push({ path: "max", message: `must be ${expected[mode]}` });
  if (least !== null && most !== null && least > most) {
    violations.push({ path: "min", message: "must not be after max" });
  }
  return violations;
}

const isHour = (bucket: string): boolean => /^\d\d$/.test(bucket);
const isTimeOfDay = (timestamp: number): boolean => timestamp >= 0 && timestamp < 24 * hour;

function byBucket([a]: [string, number], [b]: [string, number]): number {
  return a < b ? -1 : 1;
}
