import { defineCommand } from "../define-command.ts";
import { workspace } from "./options.ts";

export const tokenRevoke = defineCommand({
  words: ["token", "revoke"],
  summary: "Revoke a member's token permanently, for example after a leak",
  example: "token revoke --workspace 0k3j9x2m4n5p6q7r --token 0k3j9x2m8s9t0u1v",
  options: {
    workspace,
    token: { placeholder: "id", required: true, help: "the token's id, as `audit list` shows it" },
  },
  async run({ workspace: workspaceId, token: tokenId }, { connectOperator }) {
    await (await connectOperator()).revokeMemberToken({ workspaceId, tokenId });
    return { workspaceId, tokenId };
  },
});
