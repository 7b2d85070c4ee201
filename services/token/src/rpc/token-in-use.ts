import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { isId } from "../domain/is-id.ts";
import { scopesBeyond, type Giver } from "../domain/scope-grants.ts";
import { namedScopes } from "../domain/token-fields.ts";
import { tokenState } from "../domain/token-state.ts";
import { findPowers } from "../storage/memberships.ts";
import { findActiveToken, findOwnToken, lockTokens, type StoredToken } from "../storage/tokens.ts";
import type { WriteTransaction } from "../write-transaction.ts";

/**
 * The token in use as it is now, under lock. A gateway may let a token through for some seconds after it was revoked;
 * what it created meanwhile would outlive it, so writes look again. Throws 401 or `workspace_not_accessible`.
 */
export async function lockTokenInUse(transaction: WriteTransaction, caller: Caller, now: Date): Promise<Giver> {
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId]);
  return judgeTokenInUse(transaction, caller, now);
}

/**
 * Locks the token in use and another of the same person, which it is about to change. Throws `token_not_found` when
 * there is no such active token in the workspace, `forbidden` when that one may do more than the one in use.
 */
export async function lockOtherToken(
  transaction: WriteTransaction,
  caller: Caller,
  tokenId: string,
  now: Date,
): Promise<{ giver: Giver; token: StoredToken }> {
  if (!isId(tokenId)) throw new AppError("token_not_found");
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId, tokenId]);
  const giver = await judgeTokenInUse(transaction, caller, now);
  const token = await findActiveToken(transaction.prisma, caller, tokenId, now);
  if (!token) throw new AppError("token_not_found");
  const beyond = scopesBeyond(giver, namedScopes(token.scopes));
  if (beyond.length > 0) {
    throw new AppError("forbidden", { missing_scopes: beyond }, "That token may do more than the one in use.");
  }
  return { giver, token };
}

async function judgeTokenInUse({ prisma }: WriteTransaction, caller: Caller, now: Date): Promise<Giver> {
  const token = await findOwnToken(prisma, caller.personId, caller.tokenId);
  const state = token ? tokenState(token, now) : "revoked";
  if (!token || state === "revoked") throw new AppError("invalid_token");
  if (state === "expired") throw new AppError("token_expired");
  const powers = await findPowers(prisma, caller);
  if (!powers) throw new AppError("workspace_not_accessible");
  return { scopes: namedScopes(token.scopes), powers };
}

/** Throws `insufficient_scope` when the giver may not hand out one of the scopes. */
export function refuseScopesBeyond(giver: Giver, scopes: Giver["scopes"]): void {
  const beyond = scopesBeyond(giver, scopes);
  if (beyond.length === 0) return;
  const details = { required_scope: beyond[0], missing_scopes: beyond };
  throw new AppError("insufficient_scope", details, "A token can only give scopes that it holds itself.");
}
