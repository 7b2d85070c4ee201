import { expandScopes, permittedScopes, type Scope } from "@canvass/access";
import { AppError } from "@canvass/errors";
import type { Caller } from "@canvass/proto/access";
import { isId } from "@canvass/inputs";
import { scopesBeyond, type Giver } from "../domain/scope-grants.ts";
import { namedScopes } from "../domain/token-fields.ts";
import { tokenState } from "../domain/token-state.ts";
import { findPowers } from "../storage/memberships.ts";
import { findActiveToken, findOwnToken, lockTokens, type StoredToken } from "../storage/tokens.ts";
import type { TokenTransaction } from "../context.ts";

/** The scope of every operation that takes the token in use under lock. */
const managing: Scope = "tokens:write";

/**
 * The token in use as it is now, under lock. A gateway may let a token through for some seconds after it was revoked or
 * its person got a smaller role; what it created meanwhile would outlive that, so writes look again. Throws 401,
 * `workspace_not_accessible`, and like the gateway 403 when the token or the role does not allow managing tokens.
 */
export async function lockTokenInUse(transaction: TokenTransaction, caller: Caller, now: Date): Promise<Giver> {
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId]);
  return judgeTokenInUse(transaction, caller, now);
}

/**
 * Locks the token in use and another of the same person, which it is about to change. Throws `token_not_found` when
 * there is no such active token in the workspace, `insufficient_scope` when that one may do more than the one in use.
 */
export async function lockOtherToken(
  transaction: TokenTransaction,
  caller: Caller,
  tokenId: string,
  now: Date,
): Promise<{ giver: Giver; token: StoredToken }> {
  if (!isId(tokenId)) throw new AppError("token_not_found");
  await lockTokens(transaction.sql, caller.personId, [caller.tokenId, tokenId]);
  const giver = await judgeTokenInUse(transaction, caller, now);
  const token = await findActiveToken(transaction.prisma, caller, tokenId, now);
  if (!token) throw new AppError("token_not_found");
  refuseScopesBeyond(giver, namedScopes(token.scopes), "That token may do more than the one in use.");
  return { giver, token };
}

async function judgeTokenInUse({ prisma }: TokenTransaction, caller: Caller, now: Date): Promise<Giver> {
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

/** Throws `insufficient_scope` when the giver may not hand out one of the scopes, or touch what holds it. */
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
