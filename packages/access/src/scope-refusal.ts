import { AppError } from "@canvass/errors";
import type { Scope } from "./scopes.ts";

export interface Rights {
  held: ReadonlySet<string>;
  permitted: ReadonlySet<string>;
}

/**
 * Returns why a scope is refused (contract 4.4): `insufficient_scope` if the token lacks it, `forbidden` if only the
 * role does. Undefined if it is permitted.
 */
export function scopeRefusal(scope: Scope, { held, permitted }: Rights): AppError | undefined {
  if (permitted.has(scope)) return undefined;
  return held.has(scope) ? new AppError("forbidden") : new AppError("insufficient_scope", { required_scope: scope });
}
