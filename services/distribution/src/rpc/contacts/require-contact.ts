import { AppError } from "@canvass/errors";
import { requireIfMatch } from "@canvass/inputs";
import { entityTag, ifMatchAllows, isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { Contact, ContactRef } from "../../domain/contacts/contact.ts";
import { findContact, lockContacts } from "../../storage/contacts/contacts.ts";

export async function requireContact(sql: Sql, ref: ContactRef): Promise<Contact> {
  const contact = isId(ref.contactId) ? await findContact(sql, ref) : undefined;
  if (!contact) throw new AppError("contact_not_found");
  return contact;
}

export async function requireLockedContact(sql: Sql, { workspaceId, contactId }: ContactRef): Promise<Contact> {
  const [contact] = isId(contactId) ? await lockContacts(sql, workspaceId, [contactId]) : [];
  if (!contact) throw new AppError("contact_not_found");
  return contact;
}

export const contactTag = ({ contactId, revision }: Pick<Contact, "contactId" | "revision">): string =>
  entityTag("contact", contactId, revision);

export function requireMatch(ifMatch: readonly string[], contact: Contact): void {
  requireIfMatch(ifMatch);
  if (!ifMatchAllows(ifMatch, contactTag(contact))) throw new AppError("precondition_failed");
}

/** An anonymized contact cannot be changed. */
export function requireNotAnonymized({ status }: Contact): void {
  if (status === "anonymized") throw new AppError("already_anonymized");
}
