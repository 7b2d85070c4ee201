import { Type, type Static } from "typebox";
import { closed, nameText, word } from "../fields.ts";

export const longestTokenName = 100;

const name = nameText(
  longestTokenName,
  "what people call the token; invisible characters only where an emoji or a script needs them",
);

/** The catalogue of scopes validates the words, so that a violation names the scope instead of its index. */
const scopeList = <Scope extends string>(scopes: readonly Scope[]) =>
  Type.Array(word(scopes, { "x-judged-by": "catalogue" }), { minItems: 1, description: "see `GET /tokens/scopes`" });

export const createTokenBody = <Scope extends string>(scopes: readonly Scope[]) =>
  closed({
    name,
    scopes: Type.Optional(scopeList(scopes)),
    is_live: Type.Optional(
      Type.Boolean({ default: true, description: "false: answers submitted with it are marked as test" }),
    ),
    expires_at: Type.Optional(
      Type.Unsafe<string | null>({
        type: ["string", "null"],
        format: "date-time",
        description: "in the future, stored to the millisecond; null: never",
        "x-judged-by": "catalogue",
      }),
    ),
  });

export const updateTokenBody = <Scope extends string>(scopes: readonly Scope[]) =>
  closed({ name: Type.Optional(name), scopes: Type.Optional(scopeList(scopes)) }, { minProperties: 1 });

export type CreateTokenBody<Scope extends string> = Static<ReturnType<typeof createTokenBody<Scope>>>;
export type UpdateTokenBody<Scope extends string> = Static<ReturnType<typeof updateTokenBody<Scope>>>;
