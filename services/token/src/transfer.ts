import type { WorkspaceTransfer } from "@canvass/service";

/** Members, and who made something that is still there. A person stays who they are in other workspaces. */
const people = `person_id IN (
  SELECT person_id FROM memberships WHERE workspace_id = $1
  UNION SELECT person_id FROM api_tokens WHERE workspace_id = $1)`;

/** Tokens go on working: what is stored of them depends on no key. */
export const transfer: WorkspaceTransfer = {
  moved: [
    { table: "people", where: people, shared: { key: "person_id", known: "email" } },
    { table: "workspaces" },
    { table: "custom_roles" },
    { table: "memberships" },
    { table: "api_tokens" },
    { table: "token_uses" },
    { table: "audit_entries" },
    { table: "mails" },
  ],
};
