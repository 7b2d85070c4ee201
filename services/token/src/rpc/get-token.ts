import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { GetTokenRequest, GetTokenResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { findLastUses } from "../storage/token-uses.ts";
import { findActiveToken } from "../storage/tokens.ts";
import { tokenMessage } from "./token-message.ts";

export async function getToken(
  { database, now }: TokenContext,
  { tokenId }: GetTokenRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof GetTokenResponseSchema>> {
  const token = isId(tokenId) ? await findActiveToken(database.prisma, caller, tokenId, now()) : null;
  if (!token) throw new AppError("token_not_found");
  const uses = await findLastUses(database.prisma, caller.workspaceId, [tokenId]);
  return { token: tokenMessage(token, uses.get(tokenId)) };
}
