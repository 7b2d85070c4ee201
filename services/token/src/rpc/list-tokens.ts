import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ListTokensRequest, ListTokensResponseSchema } from "@canvass/proto/token";
import type { Call } from "@canvass/rpc";
import type { TokenContext } from "../context.ts";
import { findLastUses } from "../storage/token-uses.ts";
import { findActiveTokens } from "../storage/tokens.ts";
import { tokenMessage } from "./token-message.ts";

export async function listTokens(
  { database, now }: TokenContext,
  _request: ListTokensRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof ListTokensResponseSchema>> {
  const tokens = await findActiveTokens(database.prisma, caller, now());
  const ids = tokens.map(({ tokenId }) => tokenId);
  const uses = await findLastUses(database.prisma, caller.workspaceId, ids);
  return { tokens: tokens.map((token) => tokenMessage(token, uses.get(token.tokenId))) };
}
