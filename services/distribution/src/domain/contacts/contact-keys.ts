import type { ContactFields } from "./contact.ts";

const mostCharacters = 300;

/** Search keys of a contact, independent of case and of how accents are encoded. */
export interface ContactKeys {
  emailKey: string | null;
  nameKey: string | null;
  lastNameKey: string | null;
}

export function contactKeys({ email, firstName, lastName }: ContactFields): ContactKeys {
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return { emailKey: searchKey(email), nameKey: searchKey(name), lastNameKey: searchKey(lastName) };
}

/** Computed here, because the case rules of the database depend on its locale. */
export function searchKey(text: string | null): string | null {
  const key = text?.normalize("NFC").toLowerCase().trim();
  if (!key) return null;
  return key.length <= mostCharacters ? key : Array.from(key).slice(0, mostCharacters).join("");
}

/** Returns lock keys for the values that must be unique within a workspace. */
export function uniqueKeys(contacts: readonly Pick<ContactFields, "email" | "externalId">[]): string[] {
  return contacts.flatMap(({ email, externalId }) => [
    ...(email === null ? [] : [`email ${searchKey(email)}`]),
    ...(externalId === null ? [] : [`externalId ${externalId}`]),
  ]);
}
