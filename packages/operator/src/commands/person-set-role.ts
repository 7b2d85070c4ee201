import { defineCommand } from "../define-command.ts";
import { person, role, workspace } from "./options.ts";

export const personSetRole = defineCommand({
  words: ["person", "set-role"],
  summary: "Change the role of a member",
  example: "person set-role --workspace 0k3j9x2m4n5p6q7r --person 0k3j9x2m8s9t0u1v --role viewer",
  options: { workspace, person, role },
  async run({ workspace: workspaceId, person: personId, role }, { connectOperator }) {
    await (await connectOperator()).setRole({ workspaceId, personId, role });
    return { workspaceId, personId, role };
  },
});
