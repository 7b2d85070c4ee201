import type { Sql } from "@canvass/postgres";
import type { ContactRef } from "../../domain/contacts/contact.ts";

export interface Erasure {
  service: string;
  /** Number of erased items of each kind. */
  erased: Record<string, number>;
  erasedAt: Date;
}

/** Does nothing if the contact was deleted. */
export async function insertErasure(
  sql: Sql,
  { workspaceId, contactId }: ContactRef,
  { service, erased, erasedAt }: Erasure,
): Promise<void> {
  await sql.query(
    `INSERT INTO contact_erasures (workspace_id, contact_id, service, erased, erased_at)
     SELECT workspace_id, contact_id, $3, $4::jsonb, $5::timestamptz FROM contacts
     WHERE (workspace_id, contact_id) = ($1, $2) FOR KEY SHARE ON CONFLICT DO NOTHING`,
    [workspaceId, contactId, service, JSON.stringify(erased), erasedAt],
  );
}

export type ErasureOfContact = Erasure & { contactId: string };

export function findErasures(
  sql: Sql,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<ErasureOfContact[]> {
  return sql.query<ErasureOfContact>(
    `SELECT contact_id AS "contactId", service, erased, erased_at AS "erasedAt" FROM contact_erasures
     WHERE workspace_id = $1 AND contact_id = ANY($2::text[]) ORDER BY erased_at, service`,
    [workspaceId, contactIds],
  );
}
