import { AppError } from "@canvass/errors";

export type DistributorStatus = "draft" | "active" | "paused" | "closed";

interface Move {
  from: readonly DistributorStatus[];
  to: DistributorStatus;
}

export const moves = {
  activate: { from: ["draft"], to: "active" },
  pause: { from: ["active"], to: "paused" },
  resume: { from: ["paused"], to: "active" },
  close: { from: ["active", "paused"], to: "closed" },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof moves;

const names = Object.keys(moves) as MoveName[];

export function isMove(text: string): text is MoveName {
  return Object.hasOwn(moves, text);
}

/** A repeated move is allowed. If only `shown` is closed (by time or limit), the only other move is `close`. */
export function stateAfter(
  { stored, shown }: { stored: DistributorStatus; shown: DistributorStatus },
  name: MoveName,
): DistributorStatus {
  const { from, to }: Move = moves[name];
  const mayMove = from.includes(stored) && (shown === stored || name === "close");
  if (mayMove || shown === to) return to;
  throw new AppError("invalid_transition", { state: shown, allowed: allowedFrom(stored, shown) });
}

function allowedFrom(stored: DistributorStatus, shown: DistributorStatus): MoveName[] {
  if (shown !== stored) return ["close"];
  return names.filter((name) => (moves[name].from as readonly string[]).includes(stored));
}

export interface ClosingRules {
  status: DistributorStatus;
  closesAt: Date | undefined;
  responseLimit: number | undefined;
}

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
