import { OperationalError } from "@canvass/provisioning/operational-error";

export class UsageError extends OperationalError {
  override name = "UsageError";
}

export class UnreachableError extends OperationalError {
  override name = "UnreachableError";
}

export const EXIT = { done: 0, refused: 1, usage: 2, unreachable: 3 } as const;
