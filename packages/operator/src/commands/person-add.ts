import { defineCommand } from "../define-command.ts";
import { email, nameOption, role, workspace } from "./options.ts";

export const personAdd = defineCommand({
  words: ["person", "add"],
  summary: "Add a person to a workspace",
  example: "person add --workspace 0k3j9x2m4n5p6q7r --name Grace --email grace@example.com --role editor",
  options: { workspace, name: nameOption("person; known people keep theirs"), email, role },
  async run({ workspace: workspaceId, ...given }, { connectOperator }) {
    const { personId } = await (await connectOperator()).addPerson({ workspaceId, ...given });
    return { workspaceId, personId, role: given.role };
  },
});
