import { defineCommand } from "../define-command.ts";
import { email, nameOption, plan } from "./options.ts";

export const workspaceCreate = defineCommand({
  words: ["workspace", "create"],
  summary: "Create a workspace with its owner, and a token that has every scope",
  example: 'workspace create --name Acme --plan starter --owner-name "Ada Lovelace" --owner-email ada@example.com',
  options: {
    name: nameOption("workspace"),
    plan,
    ownerName: nameOption("owner; known people keep theirs"),
    ownerEmail: email,
    timeZone: { placeholder: "zone", help: "IANA name such as Europe/Berlin (default: UTC)" },
  },
  async run({ timeZone = "", ...given }, { connectOperator }) {
    const made = await (await connectOperator()).createWorkspace({ ...given, timeZone });
    const { workspaceId, personId, tokenId, tokenValue } = made;
    return { workspaceId, personId, tokenId, token: tokenValue };
  },
});
