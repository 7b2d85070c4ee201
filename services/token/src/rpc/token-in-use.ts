import { expandScopes, permittedScopes, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { isId } from "@canvass/values";
import { scopesBeyond, type Giver } from "../domain/scope-grants.ts";
import { namedScopes } from "../domain/token-fields.ts";
import { tokenState } from "../domain/token-state.ts";
import { findPowers } from "../storage/memberships.ts";
import { findActiveToken, findOwnToken, lockTokens, type StoredToken } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

/** The scope that every operation that locks the token in use requires. */
const managing: Scope = "tokens:write";

/**
 * Locks and checks the token in use: gateways may accept it for seconds after a revocation or role change, and whatever
 * it created then would outlive it. Throws 401, `workspace_not_accessible`, or 403 if token or role may not manage
 * tokens.
 */
export async function lockTokenInUse(transaction: TokenTransaction, caller: Caller, now: Date): Promise<Giver> {
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId]);
  return checkTokenInUse(transaction, caller, now);
}

/**
 * Locks the token in use and another token of the same person, which is to be changed. Throws `token_not_found` if that
 * one is not active in the workspace, and `insufficient_scope` if it may do more than the one in use.
 */
export async function lockOtherToken(
  transaction: TokenTransaction,
  caller: Caller,
  tokenId: string,
  now: Date,
): Promise<{ giver: Giver; token: StoredToken }> {
  if (!isId(tokenId)) throw new AppError("token_not_found");
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId, tokenId]);
  const giver = await checkTokenInUse(transaction, caller, now);
  const token = await findActiveToken(transaction.prisma, caller, tokenId, now);
  if (!token) throw new AppError("token_not_found");
  refuseScopesBeyond(giver, namedScopes(token.scopes), "That token may do more than the one in use.");
  return { giver, token };
}

async function checkTokenInUse({ prisma }: TokenTransaction, caller: Caller, now: Date): Promise<Giver> {
  const token = await findOwnToken(prisma, caller.personId, caller.tokenId);
  const state = token ? tokenState(token, now) : "revoked";
  if (!token || state === "revoked") throw new AppError("invalid_token");
  if (state === "expired") throw new AppError("token_expired");
  const powers = await findPowers(prisma, caller);
  if (!powers) throw new AppError("workspace_not_accessible");
  const giver = { scopes: namedScopes(token.scopes), powers };
  requireManaging(giver);
  return giver;
}

function requireManaging({ scopes, powers }: Giver): void {
  if (!expandScopes(scopes).includes(managing)) throw new AppError("insufficient_scope", { required_scope: managing });
  if (permittedScopes([managing], powers).length === 0) throw new AppError("forbidden");
}

/** Throws `insufficient_scope` for scopes that the giver may not grant. */
export function refuseScopesBeyond(
  giver: Giver,
  scopes: Giver["scopes"],
  message = "A token can only give scopes that it holds itself.",
): void {
  const beyond = scopesBeyond(giver, scopes);
  if (beyond.length === 0) return;
  const details = { required_scope: beyond[0], missing_scopes: beyond };
  throw new AppError("insufficient_scope", details, message);
}
