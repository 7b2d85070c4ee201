import {
  violationAt,
  joinViolations,
  redeliverRangeBody,
  refuseViolations,
  shapeViolations,
  validationFailed,
  type Violation,
  type RedeliverRangeBody,
} from "@canvass/inputs";
import { firstIdOf, type JsonObject, parseInstant } from "@canvass/values";
import type { AppError } from "@canvass/errors";

export const largestRange = 100_000;

/** Rows that are read at most to count a range. A range that has as many is refused. */
export const mostRead = 3 * largestRange;

export interface Range {
  status: "failed" | "delivered";
  /** By creation, inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  requestedAt: Date;
}

/** Reads a request's body. Without `to` the range ends at the request. Throws `validation_failed`. */
export function readRange(body: JsonObject, requestedAt: Date): Range {
  const shape = shapeViolations(redeliverRangeBody, body);
  const given = body as unknown as RedeliverRangeBody;
  refuseViolations(joinViolations(shape, timeViolations(given, requestedAt)));
  const { status = "failed", from, to } = given;
  return { status, from: parseInstant(from)!, to: to === undefined ? requestedAt : parseInstant(to)!, requestedAt };
}

const notMoment = "must be a date-time such as 2026-01-31T09:00:00Z";
const notPast = "must lie in the past";
const notLater = "must be later than from";

function timeViolations({ from, to }: RedeliverRangeBody, requestedAt: Date): Violation[] {
  const read = (text: unknown) => (typeof text === "string" ? parseInstant(text) : undefined);
  const [start, end] = [read(from), to === undefined ? requestedAt : read(to)];
  const violations: Violation[] = [];
  if (start === null) violations.push(...violationAt("from", notMoment));
  if (end === null) violations.push(...violationAt("to", notMoment));
  const isReversed = start && end && start >= end;
  if (isReversed && to === undefined) violations.push(...violationAt("from", notPast));
  if (isReversed && to !== undefined) violations.push(...violationAt("to", notLater));
  return violations;
}

const DAY_MS = 86_400_000;

export function untilOf({ to, requestedAt }: Range): Date {
  return to < requestedAt ? to : requestedAt;
}

/** Sorts before the ids of all deliveries whose shown creation is at `from` or later. */
export function firstIdFrom(from: Date): string {
  // A prefix sorts before the whole text.
  return firstIdOf(from).slice(0, -1);
}

/**
 * Sorts after the ids of all deliveries whose shown creation is before `until`. A day is added, because with full
 * anonymity an id has a random time of its day.
 */
export function lastIdOf(until: Date): string {
  return firstIdOf(new Date(until.getTime() + DAY_MS));
}

export const tooManyInRange = (): AppError =>
  validationFailed([{ path: "to", message: `must leave a range of at most ${largestRange} deliveries` }]);
