import { defaultScopes, expandScopes, scopes as scopeTable, type Scope } from "@canvass/access";

/** The scopes of the token in use, and the powers of its person's role. */
export interface Grantor {
  scopes: readonly Scope[];
  powers: readonly string[];
}

/** Returns the scopes that the grantor may not grant. Full access may also grant `events:write` (contract 4.5). */
export function scopesBeyond(grantor: Grantor, wanted: readonly Scope[]): Scope[] {
  const held = new Set(expandScopes(grantor.scopes));
  if (held.has("full_access") && grantor.powers.includes(scopeTable["events:write"].power)) held.add("events:write");
  return wanted.filter((scope) => !held.has(scope));
}

/** Returns the scopes of a token that names none: the defaults that the grantor may grant (contract 4.3). */
export function defaultGrant(grantor: Grantor): Scope[] {
  const beyond = scopesBeyond(grantor, defaultScopes);
  return defaultScopes.filter((scope) => !beyond.includes(scope));
}
