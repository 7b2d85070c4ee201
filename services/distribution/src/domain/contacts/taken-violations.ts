import type { Violation } from "@canvass/inputs";
import type { Contact, ContactFields } from "./contact.ts";
import { searchKey } from "./contact-keys.ts";

const message = "belongs to another contact";

/** Returns violations of unique fields that another contact has. `others` may contain such contacts. */
export function takenViolations(fields: ContactFields, others: readonly Contact[], contactId?: string): Violation[] {
  const email = searchKey(fields.email);
  const rest = others.filter((other) => other.contactId !== contactId);
  const isTaken = {
    email: email !== null && rest.some((other) => searchKey(other.email) === email),
    externalId: fields.externalId !== null && rest.some(({ externalId }) => externalId === fields.externalId),
  };
  return (["email", "externalId"] as const).filter((path) => isTaken[path]).map((path) => ({ path, message }));
}
