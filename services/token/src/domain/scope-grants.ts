import { defaultScopes, expandScopes, scopes as scopeTable, type Scope } from "@canvass/access";

/** Whoever hands out scopes: what the token in use was granted, and what its person's role allows now. */
export interface Giver {
  scopes: readonly Scope[];
  powers: readonly string[];
}

/**
 * Of the wanted scopes, those the giver may not hand out (contract 4.5): a token gives only what it holds, except
 * that full access whose person may manage webhooks can also give `events:write`.
 */
export function scopesBeyond(giver: Giver, wanted: readonly Scope[]): Scope[] {
  const held = new Set(expandScopes(giver.scopes));
  if (held.has("full_access") && giver.powers.includes(scopeTable["events:write"].power)) held.add("events:write");
  return wanted.filter((scope) => !held.has(scope));
}

/** What a token gets when its scopes are left out: the default set as far as the giver holds it (contract 4.3). */
export function defaultGrant(giver: Giver): Scope[] {
  const beyond = scopesBeyond(giver, defaultScopes);
  return defaultScopes.filter((scope) => !beyond.includes(scope));
}
