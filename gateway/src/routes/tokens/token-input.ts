import { allScopes } from "@canvass/access";
import { Type } from "typebox";
import { closed, idParam, invisible, nameText, withExamples, word } from "../schemas.ts";

export const tokenParams = Type.Object({ tokenId: idParam("id of a token") });

const name = nameText(
  100,
  "what people call the token; invisible characters only where an emoji or a script needs them",
  invisible,
);
const scopes = Type.Array(word(allScopes), {
  minItems: 1,
  description: "see `GET /tokens/scopes`",
});

export const createTokenBody = withExamples(
  closed({
    name,
    scopes: Type.Optional(scopes),
    is_live: Type.Optional(Type.Boolean({ default: true, description: "false: what it submits is marked as test" })),
    expires_at: Type.Optional(
      Type.Unsafe<string | null>({
        type: ["string", "null"],
        format: "date-time",
        description: "in the future, kept to the millisecond; null: never",
      }),
    ),
  }),
  {
    readSurveys: { summary: "Reads surveys, nothing else", value: { name: "Reporting", scopes: ["surveys:read"] } },
    tryOut: {
      summary: "Submits answers that count as test",
      value: { name: "Trial run", scopes: ["surveys:read", "responses:write"], is_live: false },
    },
  },
);

export const updateTokenBody = withExamples(
  closed({ name: Type.Optional(name), scopes: Type.Optional(scopes) }, { minProperties: 1 }),
  {
    rename: { summary: "Another name", value: { name: "Weekly report" } },
    changeScopes: { summary: "Other scopes", value: { scopes: ["surveys:read", "responses:read"] } },
  },
);
