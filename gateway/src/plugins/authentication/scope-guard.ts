import { scopeRefusal, type Scope } from "@canvass/access";
import type { Guard } from "../guards/guard.ts";

/** Checks the token's scope and the person's role. Refuses as `scopeRefusal` does. */
export function scopeGuard(scope: Scope): Guard {
  return (request, _reply, done) => {
    const refusal = scopeRefusal(scope, request.identity!);
    if (refusal) done(refusal);
    else done();
  };
}
