import { AppError } from "@canvass/errors";
import { requireIfMatch } from "@canvass/inputs";
import { entityTag, ifMatchAllows, isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Contact, ContactRef } from "../../domain/contacts/contact.ts";
import { findContact, lockContacts } from "../../storage/contacts/contacts.ts";

/** Throws `contact_not_found`, also for one of another workspace. */
export async function requireContact(sql: Sql, ref: ContactRef): Promise<Contact> {
  const contact = isId(ref.contactId) ? await findContact(sql, ref) : undefined;
  if (!contact) throw new AppError("contact_not_found");
  return contact;
}

/** Locks a contact until the transaction ends. Throws `contact_not_found`. */
export async function requireLockedContact(sql: Sql, { workspaceId, contactId }: ContactRef): Promise<Contact> {
  const [contact] = isId(contactId) ? await lockContacts(sql, workspaceId, [contactId]) : [];
  if (!contact) throw new AppError("contact_not_found");
  return contact;
}

export const contactTag = ({ contactId, revision }: Pick<Contact, "contactId" | "revision">): string =>
  entityTag("contact", contactId, revision);

/** Throws `precondition_failed` unless an entry of `If-Match` is the entity tag of the locked contact. */
export function requireMatch(ifMatch: readonly string[], contact: Contact): void {
  requireIfMatch(ifMatch);
  if (!ifMatchAllows(ifMatch, contactTag(contact))) throw new AppError("precondition_failed");
}

/** Throws `already_anonymized`: an anonymized contact cannot be changed. */
export function requirePerson({ status }: Contact): void {
  if (status === "anonymized") throw new AppError("already_anonymized");
}
