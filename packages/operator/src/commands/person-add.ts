import { defineCommand } from "../define-command.ts";
import { email, nameOf, role, workspace } from "./options.ts";

export const personAdd = defineCommand({
  words: ["person", "add"],
  summary: "Make a person a member of a workspace",
  example: "person add --workspace 0k3j9x2m4n5p6q7r --name Grace --email grace@example.com --role editor",
  options: { workspace, name: nameOf("person; known people keep theirs"), email, role },
  async run({ workspace: workspaceId, ...given }, { operator }) {
    const { personId } = await (await operator()).addPerson({ workspaceId, ...given });
    return { workspaceId, personId, role: given.role };
  },
});
