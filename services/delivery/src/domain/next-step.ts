import type { Outcome } from "@canvass/webhook-sender/outcome";
import { nextAttemptAt } from "./retry-schedule.ts";

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
