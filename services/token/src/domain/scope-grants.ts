import { defaultScopes, expandScopes, scopes as scopeTable, type Scope } from "@canvass/access";

/** The scopes of the token in use, and the powers of its person's role. */
export interface Giver {
  scopes: readonly Scope[];
  powers: readonly string[];
}

/** Returns the scopes that the giver may not grant. Full access may also grant `events:write` (contract 4.5). */
export function scopesBeyond(giver: Giver, wanted: readonly Scope[]): Scope[] {
  const held = new Set(expandScopes(giver.scopes));
  if (held.has("full_access") && giver.powers.includes(scopeTable["events:write"].power)) held.add("events:write");
  return wanted.filter((scope) => !held.has(scope));
}

/** Returns the scopes of a token that names none: the defaults that the giver may grant (contract 4.3). */
export function defaultGrant(giver: Giver): Scope[] {
  const beyond = scopesBeyond(giver, defaultScopes);
  return defaultScopes.filter((scope) => !beyond.includes(scope));
}
