import { numberViolation, showProperties } from "@canvass/command-line";
import { defineCommand } from "../define-command.ts";
import { workspace } from "./options.ts";
import type { AuditEntry } from "@canvass/proto/token";

export const auditList = defineCommand({
  words: ["audit", "list"],
  summary: "Show the changes in a workspace, newest first",
  example: "audit list --workspace 0k3j9x2m4n5p6q7r --limit 20",
  options: {
    workspace,
    limit: {
      placeholder: "number",
      help: "number of changes, up to 100 (default: 50); fewer if they are large",
      violation: numberViolation(1, 100),
    },
    cursor: { placeholder: "cursor", help: "the cursor that the previous page ended with" },
  },
  async run({ workspace: workspaceId, limit = "50", cursor = "" }, { connectOperator }) {
    const query = { limit: Number(limit), cursor };
    const { page } = await (await connectOperator()).listWorkspaceAuditLog({ workspaceId, query });
    const { entries = [], nextCursor = "" } = page ?? {};
    return { workspaceId, entries: entries.map(auditEntry), cursor: nextCursor || null };
  },
  show: ({ entries, ...rest }) => [...(entries as ShownEntry[]).map(auditLine), showProperties(rest)].join("\n"),
});

type ShownEntry = ReturnType<typeof auditEntry>;

function auditEntry(entry: AuditEntry) {
  const { seconds = 0n, nanos = 0 } = entry.occurredAt ?? {};
  return {
    id: entry.entryId,
    at: new Date(Number(seconds) * 1000 + nanos / 1e6).toISOString(),
    actor: entry.actor,
    personId: entry.personId || null,
    personName: entry.personName || null,
    tokenId: entry.tokenId || null,
    tokenName: entry.tokenName || null,
    address: entry.clientAddress || null,
    requestId: entry.requestId || null,
    action: entry.action,
    resourceId: entry.resourceId,
    before: entry.beforeJson === "" ? null : (JSON.parse(entry.beforeJson) as object),
    after: entry.afterJson === "" ? null : (JSON.parse(entry.afterJson) as object),
  };
}

function auditLine({ at, actor, personName, tokenName, action, resourceId, before, after, ...rest }: ShownEntry) {
  const person = `${personName ?? "?"} with "${tokenName ?? "?"}"`;
  const who = { operator: "an operator", platform: "the platform" }[actor] ?? person;
  const from = rest.address === null ? "" : ` from ${rest.address}`;
  const request = rest.requestId === null ? "" : ` in request ${rest.requestId}`;
  const states = [before, after].map((state) => (state === null ? "–" : JSON.stringify(state)));
  return `${at}  ${action}  ${resourceId}  by ${who}${from}${request}  ${states.join(" → ")}`;
}
