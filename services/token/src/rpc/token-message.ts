import { create } from "@bufbuild/protobuf";
import { timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { TokenSchema, type Token } from "@canvass/proto/token";
import type { TokenUse } from "../storage/token-uses.ts";
import type { StoredToken } from "../storage/tokens.ts";

export function tokenMessage(token: StoredToken, lastUse?: TokenUse): Token {
  return create(TokenSchema, {
    tokenId: token.tokenId,
    name: token.name,
    scopes: token.scopes,
    live: token.live,
    lastUsedIp: lastUse?.clientAddress ?? "",
    createdAt: timestampFromDate(token.createdAt),
    ...optional("expiresAt", token.expiresAt),
    ...optional("lastUsedAt", lastUse?.usedAt ?? null),
  });
}

function optional<Name extends string>(name: Name, date: Date | null): { [key in Name]?: Timestamp } {
  return (date ? { [name]: timestampFromDate(date) } : {}) as { [key in Name]?: Timestamp };
}
