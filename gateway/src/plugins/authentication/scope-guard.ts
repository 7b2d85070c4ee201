import type { Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Guard } from "../guards/guard.ts";

/**
 * A guard that lets a request through only when the token holds the scope and the person's role allows it (contract 4.4):
 * `insufficient_scope` names what the token lacks, `forbidden` says that only the role is in the way.
 */
export function scopeGuard(scope: Scope): Guard {
  return (request, _reply, done) => {
    const { held, permitted } = request.identity!;
    if (permitted.has(scope)) done();
    else if (held.has(scope)) done(new AppError("forbidden"));
    else done(new AppError("insufficient_scope", { required_scope: scope }));
  };
}
