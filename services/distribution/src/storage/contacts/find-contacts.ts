import type { Sql } from "@canvass/postgres";
import { attributePrefix, type ContactStatus } from "@canvass/inputs";
import type { ContactRef } from "../../domain/contacts/contact.ts";
import { contactTexts } from "./contact-columns.ts";

export interface FoundContact {
  contactId: string;
  status: ContactStatus;
}

/** Locks the contacts that exist against changes and deletion until the transaction ends. */
export function holdContacts(sql: Sql, workspaceId: string, contactIds: readonly string[]): Promise<FoundContact[]> {
  return sql.query<FoundContact>(
    `SELECT contact_id AS "contactId", status FROM contacts WHERE workspace_id = $1 AND contact_id = ANY($2::text[])
     ORDER BY contact_id FOR SHARE`,
    [workspaceId, contactIds],
  );
}

export interface ContactValues {
  /** Null if the contact does not exist. */
  status: ContactStatus | null;
  /** In the order of the fields; empty if unset. */
  values: string[];
}

/** Reads contacts of any workspace, in order. Attribute names have their prefix. */
export function findContactValues(
  sql: Sql,
  refs: readonly ContactRef[],
  fields: readonly string[],
): Promise<ContactValues[]> {
  return sql.query<ContactValues>(
    `SELECT c.status, ARRAY(
       SELECT coalesce(known.value, '') FROM unnest($3::text[]) WITH ORDINALITY AS f (field, place)
       LEFT JOIN (SELECT * FROM jsonb_each_text(${contactTexts})
         UNION ALL SELECT '${attributePrefix}' || name, value FROM jsonb_each_text(c.attributes) AS a (name, value))
         AS known (field, value) USING (field) ORDER BY f.place) AS values
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r (workspace_id, contact_id, place)
     LEFT JOIN contacts c USING (workspace_id, contact_id) ORDER BY r.place`,
    [refs.map(({ workspaceId }) => workspaceId), refs.map(({ contactId }) => contactId), fields],
  );
}
