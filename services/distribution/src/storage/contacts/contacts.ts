import { sendAll, type Sql } from "@canvass/postgres";
import type { Contact, ContactRef } from "../../domain/contacts/contact.ts";
import { contactKeys, searchKey } from "../../domain/contacts/contact-keys.ts";
import { deleteStoredResponses } from "./stored-response-links.ts";
import { contactColumns, insertStatement, updateStatement } from "./contact-columns.ts";

export async function findContact(sql: Sql, { workspaceId, contactId }: ContactRef): Promise<Contact | undefined> {
  const [contact] = await sql.query<Contact>(
    `SELECT ${contactColumns} FROM contacts c WHERE (c.workspace_id, c.contact_id) = ($1, $2)`,
    [workspaceId, contactId],
  );
  return contact;
}

export function lockContacts(sql: Sql, workspaceId: string, contactIds: readonly string[]): Promise<Contact[]> {
  return sql.query<Contact>(
    `SELECT ${contactColumns} FROM contacts c WHERE c.workspace_id = $1 AND c.contact_id = ANY($2::text[])
     ORDER BY c.contact_id FOR UPDATE`,
    [workspaceId, contactIds],
  );
}

export interface SoughtContacts {
  emails: readonly string[];
  externalIds: readonly string[];
  /** Also locked, so that all writers lock contacts in one order. */
  contactIds?: readonly string[];
}

export async function lockContactsWith(
  sql: Sql,
  workspaceId: string,
  { emails, externalIds, contactIds = [] }: SoughtContacts,
): Promise<Contact[]> {
  const found = await sql.query<{ contactId: string }>(
    `SELECT contact_id AS "contactId" FROM contacts WHERE workspace_id = $1 AND email_key = ANY($2::text[])
     UNION SELECT contact_id FROM contacts WHERE workspace_id = $1 AND external_id = ANY($3::text[])`,
    [workspaceId, emails.map(searchKey), externalIds],
  );
  const ids = [...new Set([...contactIds, ...found.map(({ contactId }) => contactId)])];
  return ids.length === 0 ? [] : lockContacts(sql, workspaceId, ids);
}

/** Locks unique keys until the transaction ends. Call it before locking contacts: all writers lock in one order. */
export async function lockKeys(sql: Sql, workspaceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await sql.query(
    `SELECT pg_advisory_xact_lock(key)::text AS locked FROM
       (SELECT DISTINCT hashtextextended('contacts ' || $1 || ' ' || sought, 0) AS key
        FROM unnest($2::text[]) AS sought ORDER BY 1) AS keys`,
    [workspaceId, keys],
  );
}

/** Requires that the contacts' keys are locked and free. */
export async function insertContacts(sql: Sql, contacts: readonly Contact[]): Promise<void> {
  if (contacts.length > 0) await sql.query(insertStatement, [rows(contacts)]);
}

/** Requires locks on the contacts and on the keys that they take. Contacts of one call may exchange keys. */
export async function saveContacts(sql: Sql, contacts: readonly Contact[]): Promise<void> {
  const [first] = contacts;
  if (!first) return;
  const release = {
    text: `UPDATE contacts SET email_key = NULL, external_id = NULL WHERE workspace_id = $1 AND contact_id = ANY($2::text[])`,
    params: [first.workspaceId, contacts.map(({ contactId }) => contactId)],
  };
  const update = { text: updateStatement, params: [rows(contacts)] };
  // PostgreSQL checks unique keys row by row, so contacts that may exchange keys release them first.
  await sendAll(sql, contacts.length > 1 ? [release, update] : [update]);
}

const rows = (contacts: readonly Contact[]): string =>
  JSON.stringify(contacts.map((contact) => ({ ...contact, ...contactKeys(contact) })));

/** Requires locks on the contacts. Also deletes their activities, erasures and stored responses. */
export async function deleteContacts(sql: Sql, workspaceId: string, contactIds: readonly string[]): Promise<void> {
  await deleteStoredResponses(sql, workspaceId, contactIds);
  const where = "WHERE workspace_id = $1 AND contact_id = ANY($2::text[])";
  const params = [workspaceId, contactIds];
  await sendAll(sql, [
    { text: `DELETE FROM contact_activities ${where}`, params },
    { text: `DELETE FROM contact_erasures ${where}`, params },
    { text: `DELETE FROM contacts ${where}`, params },
  ]);
}
