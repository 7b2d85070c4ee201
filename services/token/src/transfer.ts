import type { WorkspaceTransfer } from "@canvass/service";

/** Members and token owners. The target's person with the same e-mail replaces a moved one; audit entries keep ids. */
const people = `person_id IN (
  SELECT person_id FROM memberships WHERE workspace_id = $1
  UNION SELECT person_id FROM api_tokens WHERE workspace_id = $1)`;

/** Tokens keep working: their stored form depends on no key. */
export const transfer: WorkspaceTransfer = {
  moved: [
    { table: "people", where: people, shared: { key: "person_id", known: "email" } },
    { table: "workspaces" },
    { table: "custom_roles" },
    { table: "memberships", refers: { person_id: "people" } },
    { table: "api_tokens", refers: { person_id: "people" } },
    { table: "token_uses" },
    { table: "audit_entries" },
    { table: "mails", refers: { person_id: "people" } },
  ],
};
