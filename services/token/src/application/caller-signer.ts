import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expandScopes, newCaller, permittedScopes, signCaller } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";
import { IdentitySchema, type Identity } from "@canvass/proto/token";
import { LRUCache } from "lru-cache";
import type { KeyObject } from "node:crypto";
import { powersOf } from "../domain/role-powers.ts";
import { knownScopes } from "../domain/token-fields.ts";
import type { FoundCredential, FoundMembership } from "../storage/credentials.ts";

/** How long other services accept a signed caller. It is reused for half of that time. */
const lifetimeMs = 60_000;
const reuseMs = 30_000;

export type UsableCredential = FoundCredential & { membership: FoundMembership };

export type SignIdentity = (credential: UsableCredential) => Identity;

/** Caches signed callers, because signing is the main cost of authentication. A new `version` invalidates an entry. */
export function createCallerSigner(privateKey: KeyObject, now: () => Date): SignIdentity {
  const cache = new LRUCache<string, { version: string; signedAt: number; identity: Identity }>({ max: 20_000 });
  return (credential) => {
    const key = `${credential.tokenId} ${credential.membership.workspaceId}`;
    const signedAt = now().getTime();
    const known = cache.get(key);
    if (known?.version === credential.version && isFresh(known.signedAt, signedAt)) return known.identity;
    const caller = callerOf(credential, signedAt);
    const identity = create(IdentitySchema, { caller, signedCaller: signCaller(caller, privateKey) });
    cache.set(key, { version: credential.version, signedAt, identity });
    return identity;
  };
}

function isFresh(signedAt: number, now: number): boolean {
  // After the clock was set back, an entry that was signed in the future would be reused for too long.
  return signedAt <= now && now < signedAt + reuseMs;
}

function callerOf({ membership, ...token }: UsableCredential, issuedAt: number): Caller {
  const scopes = expandScopes(knownScopes(token.scopes));
  const expiresAt = Math.min(issuedAt + lifetimeMs, token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  return newCaller({
    workspaceId: membership.workspaceId,
    personId: token.personId,
    personName: token.personName,
    tokenId: token.tokenId,
    tokenName: token.tokenName,
    scopes,
    permissions: permittedScopes(scopes, powersOf(membership.role, membership.customPowers)),
    live: token.live,
    plan: membership.plan,
    timeZone: membership.timeZone,
    issuedAt: timestampFromDate(new Date(issuedAt)),
    expiresAt: timestampFromDate(new Date(expiresAt)),
  });
}
