import { OperationalError } from "@canvass/provisioning/operational-error";

/** A wrong command line. */
export class UsageError extends OperationalError {
  override name = "UsageError";
}

/** Nobody answers at the token service's address, or there is none. */
export class UnreachableError extends OperationalError {
  override name = "UnreachableError";
}

export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;
