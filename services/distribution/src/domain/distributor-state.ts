import { AppError } from "@canvass/errors";

export type DistributorStatus = "draft" | "active" | "paused" | "closed";

interface Transition {
  from: readonly DistributorStatus[];
  to: DistributorStatus;
}

export const transitions = {
  activate: { from: ["draft"], to: "active" },
  pause: { from: ["active"], to: "paused" },
  resume: { from: ["paused"], to: "active" },
  close: { from: ["active", "paused"], to: "closed" },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

const names = Object.keys(transitions) as TransitionName[];

export function isTransition(text: string): text is TransitionName {
  return Object.hasOwn(transitions, text);
}

/**
 * Returns the state after a transition. Repeating one is allowed. A distributor that its time or limit has closed
 * (`shown`) can only be closed for good. Throws `invalid_transition`.
 */
export function stateAfter(
  { stored, shown }: { stored: DistributorStatus; shown: DistributorStatus },
  name: TransitionName,
): DistributorStatus {
  const { from, to }: Transition = transitions[name];
  const isAllowed = from.includes(stored) && (shown === stored || name === "close");
  if (isAllowed || shown === to) return to;
  throw new AppError("invalid_transition", { state: shown, allowed: allowedFrom(stored, shown) });
}

function allowedFrom(stored: DistributorStatus, shown: DistributorStatus): TransitionName[] {
  if (shown !== stored) return ["close"];
  return names.filter((name) => (transitions[name].from as readonly string[]).includes(stored));
}

export interface ClosingRules {
  status: DistributorStatus;
  closesAt: Date | undefined;
  responseLimit: number | undefined;
}

/** `completed`: undefined if unknown; then the limit closes nothing. */
export function shownStatus(
  { status, closesAt, responseLimit }: ClosingRules,
  now: Date,
  completed: number | undefined,
): DistributorStatus {
  if (status === "draft") return status;
  const isLate = closesAt !== undefined && closesAt <= now;
  const isFull = responseLimit !== undefined && completed !== undefined && completed >= responseLimit;
  return isLate || isFull ? "closed" : status;
}
