import { showProperties } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import type { Exported } from "../transfer/export-workspace.ts";
import { serviceOptions } from "../transfer/moving-services.ts";
import { workspace } from "./options.ts";

const recipientViolation = (text: string) =>
  /^age1[0-9a-z]{58}$/.test(text) ? undefined : 'is what "canvass workspace key" prints, such as age1…';

export const workspaceExport = defineCommand({
  words: ["workspace", "export"],
  summary: "Export all data of a workspace to an encrypted file, for another installation",
  example: `workspace export --workspace 0k3j9x2m4n5p6q7r --recipient age1${"q".repeat(58)} --out acme.age`,
  options: {
    workspace,
    recipient: {
      placeholder: "age1…",
      required: true,
      help: `of the other installation's "canvass workspace key"`,
      violation: recipientViolation,
    },
    out: { placeholder: "path", required: true, help: "output file" },
    force: { help: "replace an existing file" },
    ...serviceOptions,
  },
  async run({ workspace: workspaceId, recipient, out, force }, session): Promise<Exported> {
    // Throws if there is no such workspace.
    await (await session.connectOperator()).getWorkspace({ workspaceId });
    const { exportWorkspace } = await import("../transfer/export-workspace.ts");
    return exportWorkspace(session, workspaceId, { path: out, recipient, replace: force === true });
  },
  show: (result) => {
    const { rows, missingFiles, eventsUnderWay: _, ...rest } = result as Exported;
    return showProperties({
      ...rest,
      rows: Object.entries(rows)
        .map(([service, count]) => `${service} ${count}`)
        .join(", "),
      "files without bytes": missingFiles.join(", ") || undefined,
    });
  },
});
