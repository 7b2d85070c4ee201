import { showProperties } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { auditEntry, auditLine, type ShownEntry } from "./audit-entry.ts";
import { workspace } from "./options.ts";

export const auditList = defineCommand({
  words: ["audit", "list"],
  summary: "Show the changes in a workspace, newest first",
  example: "audit list --workspace 0k3j9x2m4n5p6q7r --limit 20",
  options: {
    workspace,
    limit: {
      placeholder: "number",
      help: "changes to show, up to 100 (default: 50); fewer when they are large",
      violation: limitViolation,
    },
    cursor: { placeholder: "cursor", help: "where the page before ended" },
  },
  async run({ workspace: workspaceId, limit = "50", cursor = "" }, { operator }) {
    const query = { limit: Number(limit), cursor };
    const { page } = await (await operator()).listWorkspaceAuditLog({ workspaceId, query });
    const { entries = [], nextCursor = "" } = page ?? {};
    return { workspaceId, entries: entries.map(auditEntry), cursor: nextCursor || null };
  },
  show: ({ entries, ...rest }) => [...(entries as ShownEntry[]).map(auditLine), showProperties(rest)].join("\n"),
});

function limitViolation(given: string): string | undefined {
  const isNumber = /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 100;
  return isNumber ? undefined : "is a number from 1 to 100";
}
