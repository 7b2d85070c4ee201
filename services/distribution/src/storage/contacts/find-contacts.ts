import type { Sql } from "@canvass/postgres";
import type { ContactStatus } from "@canvass/inputs";
import type { ContactRef } from "../../domain/contacts/contact.ts";

export interface FoundContact {
  contactId: string;
  status: ContactStatus;
}

/** Those of the contacts that exist; none of them changes or goes until the transaction ends. */
export function holdContacts(sql: Sql, workspaceId: string, contactIds: readonly string[]): Promise<FoundContact[]> {
  return sql.query<FoundContact>(
    `SELECT contact_id AS "contactId", status FROM contacts WHERE workspace_id = $1 AND contact_id = ANY($2::text[])
     ORDER BY contact_id FOR SHARE`,
    [workspaceId, contactIds],
  );
}

/** The status of contacts of any workspaces, in order; undefined where there is none. */
export async function findStatuses(sql: Sql, refs: readonly ContactRef[]): Promise<(ContactStatus | undefined)[]> {
  const rows = await sql.query<{ status: ContactStatus | null }>(
    `SELECT c.status FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r (workspace_id, contact_id, place)
     LEFT JOIN contacts c USING (workspace_id, contact_id) ORDER BY r.place`,
    [refs.map(({ workspaceId }) => workspaceId), refs.map(({ contactId }) => contactId)],
  );
  return rows.map(({ status }) => status ?? undefined);
}
