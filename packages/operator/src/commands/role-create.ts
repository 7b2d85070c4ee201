import { defineCommand } from "../define-command.ts";
import { listOf, nameOf, powers, workspace } from "./options.ts";

export const roleCreate = defineCommand({
  words: ["role", "create"],
  summary: "Make a role of a workspace's own: a name for a set of powers",
  example: "role create --workspace 0k3j9x2m4n5p6q7r --name Integrator --powers manage_webhooks,view_results",
  options: { workspace, name: nameOf("role"), powers },
  async run({ workspace: workspaceId, name, powers: joined }, { operator }) {
    const powers = listOf(joined);
    const { roleId } = await (await operator()).createRole({ workspaceId, name, powers });
    return { workspaceId, roleId, name, powers };
  },
});
