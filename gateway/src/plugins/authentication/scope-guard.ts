import type { Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Identity } from "../../batches/identity.ts";
import type { Guard } from "../guards/guard.ts";

/**
 * A guard for the token's scope and the person's role (contract 4.4): `insufficient_scope` when the token lacks the
 * scope, `forbidden` when only the role does.
 */
export function scopeGuard(scope: Scope): Guard {
  return (request, _reply, done) => {
    const refusal = scopeRefusal(scope, request.identity!);
    if (refusal) done(refusal);
    else done();
  };
}

/** Undefined: the scope is there. */
export function scopeRefusal(scope: Scope, { held, permitted }: Identity): AppError | undefined {
  if (permitted.has(scope)) return undefined;
  return held.has(scope) ? new AppError("forbidden") : new AppError("insufficient_scope", { required_scope: scope });
}
