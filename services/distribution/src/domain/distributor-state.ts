import { AppError } from "@canvass/errors";

export type DistributorStatus = "draft" | "active" | "paused" | "closed";

interface Move {
  from: readonly DistributorStatus[];
  to: DistributorStatus;
}

/** How a distributor changes its state: draft → active ⇄ paused → closed. */
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

/**
 * The state after a move; the same when it is there already. `shown` is closed beside the stored one when time or limit
 * closed it: it can then only be closed for good. Throws `invalid_transition`.
 */
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

/** What closes a distributor by itself. */
export interface ClosingRules {
  status: DistributorStatus;
  closesAt: Date | undefined;
  responseLimit: number | undefined;
}

/** The state as it is shown. `completed` is undefined where it is not known. */
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
