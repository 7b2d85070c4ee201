import { splitList } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { nameOption, powers, workspace } from "./options.ts";

export const roleCreate = defineCommand({
  words: ["role", "create"],
  summary: "Create a custom role of a workspace: a name for a set of powers",
  example: "role create --workspace 0k3j9x2m4n5p6q7r --name Integrator --powers manage_webhooks,view_results",
  options: { workspace, name: nameOption("role"), powers },
  async run({ workspace: workspaceId, name, powers: joined }, { connectOperator }) {
    const powers = splitList(joined);
    const { roleId } = await (await connectOperator()).createRole({ workspaceId, name, powers });
    return { workspaceId, roleId, name, powers };
  },
});
