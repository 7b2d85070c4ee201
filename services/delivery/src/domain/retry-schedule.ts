import type { Outcome } from "@canvass/webhook-sender/outcome";

/** Per delivery (contract 8.9). */
export const MAX_ATTEMPTS = 9;

/** Seconds to wait before attempts 2 to 9 (contract 8.9). */
export const standardWaits: readonly number[] = [30, 300, 1800, 7200, 18_000, 36_000, 86_400, 172_800];

const JITTER = 0.1;

/** Undefined after the last. `number`: of the failed attempt, from 1. Jitter spreads the retries after an outage. */
export function nextAttemptAt(
  number: number,
  attemptedAt: Date,
  waits: readonly number[],
  random: () => number,
): Date | undefined {
  const seconds = waits[number - 1];
  if (number >= MAX_ATTEMPTS || seconds === undefined) return undefined;
  const factor = 1 + JITTER * (2 * random() - 1);
  return new Date(attemptedAt.getTime() + Math.round(seconds * 1000 * factor));
}

/** Includes the largest jitter. */
export function longestWaitsMs(waits: readonly number[]): number[] {
  return waits.map((seconds) => Math.ceil(seconds * 1000 * (1 + JITTER)));
}

export function areWaits(text: string): boolean {
  const waits = readWaits(text);
  return waits.length === MAX_ATTEMPTS - 1 && waits.every((wait) => Number.isFinite(wait) && wait >= 0);
}

export function readWaits(text: string): readonly number[] {
  if (text.trim() === "") return standardWaits;
  return text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
}

/** Milliseconds from a delivery's first attempt to its last, with the standard waits (contract 8.9). */
export const RETRY_WINDOW_MS = standardWaits.reduce((sum, seconds) => sum + seconds, 0) * 1000;

/** Effect of an attempt on its delivery (contract 8.10) and subscription (contract 8.5). */
export interface NextStep {
  status: "pending" | "delivered" | "failed" | "cancelled";
  dueAt: Date | undefined;
  disable: "gone" | "blocked" | undefined;
}

export interface FinishedAttempt {
  number: number;
  attemptedAt: Date;
  outcome: Outcome;
}

export function nextStep(
  { number, attemptedAt, outcome }: FinishedAttempt,
  waits: readonly number[],
  random: () => number,
): NextStep {
  if (outcome === "success") return { status: "delivered", dueAt: undefined, disable: undefined };
  if (outcome === "gone") return { status: "cancelled", dueAt: undefined, disable: "gone" };
  const dueAt = nextAttemptAt(number, attemptedAt, waits, random);
  // A blocked destination keeps its queue: the owner may correct the address and resume.
  return { status: dueAt ? "pending" : "failed", dueAt, disable: outcome === "blocked" ? "blocked" : undefined };
}
