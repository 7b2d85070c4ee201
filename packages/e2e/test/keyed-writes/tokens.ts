import type { ApiClient } from "../../src/index.ts";
import { auditedWrite } from "./audited-write.ts";

/** Writes of tokens. */
export const tokenWrites = [
  auditedWrite("patching a token", "token", "token.updated", async ({ api }) => ({
    ...(await newToken(api)),
    method: "PATCH",
    body: { name: "Replayed" },
    invalidBody: { name: "" },
  })),
  auditedWrite("revoking a token", "token", "token.revoked", async ({ api }) => ({
    ...(await newToken(api)),
    method: "DELETE",
    invalidBody: { unexpected: true },
  })),
];

async function newToken(api: ApiClient): Promise<{ resource: string; path: string }> {
  const { data } = await api.post("/tokens", { name: "to change", scopes: ["surveys:read"] });
  return { resource: data.id, path: `/tokens/${data.id}` };
}
