import { expandScopes, permittedScopes, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { isId } from "@canvass/values";
import { scopesBeyond, type Grantor } from "../domain/scope-grants.ts";
import { knownScopes } from "../domain/token-fields.ts";
import { tokenState } from "../domain/token-state.ts";
import { findPowers } from "../storage/memberships.ts";
import { findActiveToken, findOwnToken, lockTokens, type StoredToken } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

const managing: Scope = "tokens:write";

/**
 * Locks the caller's token, checks it again and requires `tokens:write`: gateways may accept a revoked token for seconds,
 * and the tokens it creates would outlive it.
 */
export async function lockTokenInUse(transaction: TokenTransaction, caller: Caller, now: Date): Promise<Grantor> {
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId]);
  return checkTokenInUse(transaction, caller, now);
}

/** Also locks another token of the same person. It must not have scopes that the token in use may not grant. */
export async function lockOtherToken(
  transaction: TokenTransaction,
  caller: Caller,
  tokenId: string,
  now: Date,
): Promise<{ grantor: Grantor; token: StoredToken }> {
  if (!isId(tokenId)) throw new AppError("token_not_found");
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId, tokenId]);
  const grantor = await checkTokenInUse(transaction, caller, now);
  const token = await findActiveToken(transaction.prisma, caller, tokenId, now);
  if (!token) throw new AppError("token_not_found");
  refuseScopesBeyond(grantor, knownScopes(token.scopes), "That token may do more than the one in use.");
  return { grantor, token };
}

async function checkTokenInUse({ prisma }: TokenTransaction, caller: Caller, now: Date): Promise<Grantor> {
  const token = await findOwnToken(prisma, caller.personId, caller.tokenId);
  const state = token ? tokenState(token, now) : "revoked";
  if (!token || state === "revoked") throw new AppError("invalid_token");
  if (state === "expired") throw new AppError("token_expired");
  const powers = await findPowers(prisma, caller);
  if (!powers) throw new AppError("workspace_not_accessible");
  const grantor = { scopes: knownScopes(token.scopes), powers };
  requireManaging(grantor);
  return grantor;
}

function requireManaging({ scopes, powers }: Grantor): void {
  if (!expandScopes(scopes).includes(managing)) throw new AppError("insufficient_scope", { required_scope: managing });
  if (permittedScopes([managing], powers).length === 0) throw new AppError("forbidden");
}

export function refuseScopesBeyond(
  grantor: Grantor,
  scopes: Grantor["scopes"],
  message = "A token can only give scopes that it holds itself.",
): void {
  const beyond = scopesBeyond(grantor, scopes);
  if (beyond.length === 0) return;
  const details = { required_scope: beyond[0], missing_scopes: beyond };
  throw new AppError("insufficient_scope", details, message);
}
