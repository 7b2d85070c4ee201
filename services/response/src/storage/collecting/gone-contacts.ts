import type { Sql, Statement } from "@canvass/postgres";
import type { ContactRef } from "../respondents/contact-respondents.ts";

export interface GoneContact extends ContactRef {
  /** anonymized or deleted. */
  status: string;
}

const FIND = `SELECT g.workspace_id AS "workspaceId", g.contact_id AS "contactId", g.status
  FROM unnest($1::text[], $2::text[]) AS wanted (workspace_id, contact_id) JOIN gone_contacts g USING (workspace_id, contact_id)`;

/** Returns the contacts that are gone, in any order. Pass each contact once. */
export async function findGoneContacts(sql: Sql, contacts: readonly ContactRef[]): Promise<GoneContact[]> {
  if (contacts.length === 0) return [];
  return sql.query<GoneContact>(FIND, [
    contacts.map(({ workspaceId }) => workspaceId),
    contacts.map(({ contactId }) => contactId),
  ]);
}

/** Returns the statement that stores contacts permanently. They must be locked. */
export function goneContactsStatement(workspaceId: string, contactIds: readonly string[], status: string): Statement {
  const text = `INSERT INTO gone_contacts (workspace_id, contact_id, status)
    SELECT $1, contact_id, $3 FROM unnest($2::text[]) AS contact_id ON CONFLICT DO NOTHING`;
  return { text, params: [workspaceId, contactIds, status] };
}
