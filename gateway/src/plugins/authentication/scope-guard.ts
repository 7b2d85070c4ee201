import { scopeRefusal, type Scope } from "@canvass/access";
import type { Guard } from "../guards/guard.ts";

export function scopeGuard(scope: Scope): Guard {
  return (request, _reply, done) => {
    const refusal = scopeRefusal(scope, request.identity!);
    if (refusal) done(refusal);
    else done();
  };
}
