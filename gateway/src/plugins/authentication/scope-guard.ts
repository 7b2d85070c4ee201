import type { Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Guard } from "../guards/guard.ts";

/**
 * A guard for the token's scope and the person's role (contract 4.4): `insufficient_scope` when the token lacks the
 * scope, `forbidden` when only the role does.
 */
export function scopeGuard(scope: Scope): Guard {
  return (request, _reply, done) => {
    const { held, permitted } = request.identity!;
    if (permitted.has(scope)) done();
    else if (held.has(scope)) done(new AppError("forbidden"));
    else done(new AppError("insufficient_scope", { required_scope: scope }));
  };
}
