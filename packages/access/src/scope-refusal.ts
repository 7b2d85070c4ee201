import { AppError } from "@canvass/errors";
import type { Scope } from "./scopes.ts";

export interface Rights {
  held: ReadonlySet<string>;
  permitted: ReadonlySet<string>;
}

/**
 * Returns `insufficient_scope` if the token does not have the scope, `forbidden` if only the role does not (contract
 * 4.4).
 */
export function scopeRefusal(scope: Scope, { held, permitted }: Rights): AppError | undefined {
  if (permitted.has(scope)) return undefined;
  return held.has(scope) ? new AppError("forbidden") : new AppError("insufficient_scope", { required_scope: scope });
}
