import { allScopes } from "@canvass/access";
import type { Token } from "@canvass/proto/token";
import { Type } from "typebox";
import { requireMessage } from "../require-message.ts";
import { dateTime, id, named, nullableDateTime, nullableText, words } from "../schemas.ts";
import { isoTime, isoTimeOrNull } from "../../plugins/responses/timestamps.ts";

const scopeList = Type.Array(words(allScopes, { title: "Scope" }));

/** A token as callers see it (contract 4.1). */
export const tokenSchema = named("Token", {
  id,
  name: Type.String(),
  scopes: scopeList,
  expires_at: nullableDateTime,
  last_used_at: nullableDateTime,
  last_used_ip: nullableText,
  created_at: dateTime,
});

/** A new token with its value (contract 4.1). */
export const createdTokenSchema = named("CreatedToken", {
  token: Type.String({ description: "the token value, shown only once" }),
  id,
  name: Type.String(),
  scopes: scopeList,
});

/** A rotated token with its new value (contract 4.6). */
export const rotatedTokenSchema = named("RotatedToken", {
  token: Type.String({ description: "the new token value, shown only once" }),
  id,
  name: Type.String(),
  scopes: scopeList,
  expires_at: nullableDateTime,
  created_at: dateTime,
  old_token_id: Type.String({ description: "the token that was revoked" }),
});

export function tokenView(token: Token | undefined) {
  const { tokenId, name, scopes, expiresAt, lastUsedAt, lastUsedIp, createdAt } = requireMessage(token);
  return {
    id: tokenId,
    name,
    scopes,
    expires_at: isoTimeOrNull(expiresAt),
    last_used_at: isoTimeOrNull(lastUsedAt),
    last_used_ip: lastUsedIp || null,
    created_at: isoTime(createdAt),
  };
}
