import { countAudited } from "./count-audited.ts";
import type { KeyedOperation } from "./keyed-operation.ts";

/** Writes of tokens. */
export const tokenWrites: KeyedOperation[] = [
  {
    name: "patching a token",
    service: "token",
    async prepare({ api }) {
      const { data } = await api.post("/tokens", { name: "to rename", scopes: ["surveys:read"] });
      return {
        method: "PATCH",
        path: `/tokens/${data.id}`,
        body: { name: "Replayed" },
        invalidBody: { name: "" },
        effects: async () => ({ audited: await countAudited(api, "token.updated", data.id) }),
      };
    },
  },
  {
    name: "revoking a token",
    service: "token",
    async prepare({ api }) {
      const { data } = await api.post("/tokens", { name: "to revoke", scopes: ["surveys:read"] });
      return {
        method: "DELETE",
        path: `/tokens/${data.id}`,
        invalidBody: { unexpected: true },
        effects: async () => ({ audited: await countAudited(api, "token.revoked", data.id) }),
      };
    },
  },
];
