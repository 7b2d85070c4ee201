import type { Sql } from "@canvass/postgres";
import type { ContactRef } from "../../domain/contacts/contact.ts";

export interface StoredResponseRef {
  scope: string;
  key: string;
}

/** Links a stored response to the contact that it shows, so that both are erased together. */
export async function linkStoredResponse(
  sql: Sql,
  { workspaceId, contactId }: ContactRef,
  { scope, key }: StoredResponseRef,
  now: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO contact_replays (workspace_id, contact_id, scope, key, recorded_at)
     VALUES ($1, $2, $3, $4, $5::timestamptz) ON CONFLICT DO NOTHING`,
    [workspaceId, contactId, scope, key, now],
  );
}

export async function deleteStoredResponses(
  sql: Sql,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<number> {
  const deleted = await sql.query(
    `WITH known AS (
       DELETE FROM contact_replays WHERE workspace_id = $1 AND contact_id = ANY($2::text[])
       RETURNING workspace_id, scope, key)
     DELETE FROM idempotency_records r USING known k
     WHERE (r.workspace_id, r.scope, r.key) = (k.workspace_id, k.scope, k.key) RETURNING 1 AS deleted`,
    [workspaceId, contactIds],
  );
  return deleted.length;
}
