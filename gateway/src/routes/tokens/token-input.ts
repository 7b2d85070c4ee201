import { allScopes } from "@canvass/access";
import { Type } from "typebox";
import { closed, idParam, word } from "../schemas.ts";

export const tokenParams = Type.Object({ tokenId: idParam("id of a token") });

const name = Type.String({ minLength: 1, maxLength: 100, pattern: "\\S", description: "what people call the token" });
const scopes = Type.Array(word(allScopes), {
  minItems: 1,
  description: "see `GET /tokens/scopes`",
});

export const createTokenBody = closed({
  name,
  scopes: Type.Optional(scopes),
  is_live: Type.Optional(Type.Boolean({ default: true, description: "false: what it submits is marked as test" })),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time" })),
});

export const updateTokenBody = closed(
  { name: Type.Optional(name), scopes: Type.Optional(scopes) },
  { minProperties: 1 },
);
