import type { ContactFields } from "./contact.ts";

const mostCharacters = 300;

/** By what a contact is found: neither case nor the way an accent was typed matters. */
export interface ContactKeys {
  emailKey: string | null;
  nameKey: string | null;
  lastNameKey: string | null;
}

export function contactKeys({ email, firstName, lastName }: ContactFields): ContactKeys {
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return { emailKey: searchKey(email), nameKey: searchKey(name), lastNameKey: searchKey(lastName) };
}

/** Made here and not in the database, whose idea of upper and lower case depends on how it was set up. */
export function searchKey(text: string | null): string | null {
  const key = text?.normalize("NFC").toLowerCase().trim();
  if (!key) return null;
  return key.length <= mostCharacters ? key : Array.from(key).slice(0, mostCharacters).join("");
}

/** What no two contacts of a workspace have in common, as it is locked before it is taken. */
export function uniqueKeys(contacts: readonly Pick<ContactFields, "email" | "externalId">[]): string[] {
  return contacts.flatMap(({ email, externalId }) => [
    ...(email === null ? [] : [`email ${searchKey(email)}`]),
    ...(externalId === null ? [] : [`externalId ${externalId}`]),
  ]);
}
