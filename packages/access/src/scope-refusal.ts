import { AppError } from "@canvass/errors";
import type { Scope } from "./scopes.ts";

/** Scopes of a token, and those of them that the person's role also allows. */
export interface Rights {
  held: ReadonlySet<string>;
  permitted: ReadonlySet<string>;
}

/**
 * Why the rights do not bring a scope (contract 4.4): `insufficient_scope` when the token lacks it, `forbidden` when only the
 * role does. Undefined: they bring it.
 */
export function scopeRefusal(scope: Scope, { held, permitted }: Rights): AppError | undefined {
  if (permitted.has(scope)) return undefined;
  return held.has(scope) ? new AppError("forbidden") : new AppError("insufficient_scope", { required_scope: scope });
}
