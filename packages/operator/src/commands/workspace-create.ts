import { defineCommand } from "../define-command.ts";
import { email, nameOf, plan } from "./options.ts";

export const workspaceCreate = defineCommand({
  words: ["workspace", "create"],
  summary: "Make a workspace with its owner, and a token that holds every scope",
  example: 'workspace create --name Acme --plan starter --owner-name "Ada Lovelace" --owner-email ada@example.com',
  options: {
    name: nameOf("workspace"),
    plan,
    ownerName: nameOf("owner; known people keep theirs"),
    ownerEmail: email,
    timeZone: { placeholder: "zone", help: "IANA name such as Europe/Berlin (default: UTC)" },
  },
  async run({ timeZone = "", ...given }, { operator }) {
    const made = await (await operator()).createWorkspace({ ...given, timeZone });
    const { workspaceId, personId, tokenId, tokenValue } = made;
    return { workspaceId, personId, tokenId, token: tokenValue };
  },
});
