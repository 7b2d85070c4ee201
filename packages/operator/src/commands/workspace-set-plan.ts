import { defineCommand } from "../define-command.ts";
import { plan, workspace } from "./options.ts";

export const workspaceSetPlan = defineCommand({
  words: ["workspace", "set-plan"],
  summary: "Change the plan of a workspace",
  example: "workspace set-plan --workspace 0k3j9x2m4n5p6q7r --plan professional",
  options: { workspace, plan },
  async run({ workspace: workspaceId, plan }, { connectOperator }) {
    await (await connectOperator()).setPlan({ workspaceId, plan });
    return { workspaceId, plan };
  },
});
