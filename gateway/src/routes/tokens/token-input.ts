import { allScopes } from "@canvass/access";
import { createTokenBody, updateTokenBody } from "@canvass/inputs";
import { Type } from "typebox";
import { idParam, withExamples } from "../schemas.ts";

export const tokenParams = Type.Object({ tokenId: idParam("id of a token") });

export const documentedCreateToken = withExamples(createTokenBody(allScopes), {
  readSurveys: { summary: "Reads surveys, nothing else", value: { name: "Reporting", scopes: ["surveys:read"] } },
  tryOut: {
    summary: "Submits answers that count as test",
    value: { name: "Trial run", scopes: ["surveys:read", "responses:write"], is_live: false },
  },
});

export const documentedUpdateToken = withExamples(updateTokenBody(allScopes), {
  rename: { summary: "Changes the name", value: { name: "Weekly report" } },
  changeScopes: { summary: "Changes the scopes", value: { scopes: ["surveys:read", "responses:read"] } },
});
