import type { Violation } from "@canvass/inputs";
import type { Contact, ContactFields } from "../contacts/contact.ts";
import { searchKey } from "../contacts/contact-keys.ts";
import { takenViolations } from "../contacts/taken-violations.ts";
import type { ImportSettings } from "./import-settings.ts";

/** A contact before and after the rows that change it. */
export interface BookEntry {
  before: Contact | undefined;
  after: Contact;
  changed: Set<string>;
}

/** The contacts that the rows of an import may change, by e-mail address and external id. */
export class ContactBook {
  readonly #byEmail = new Map<string, BookEntry>();
  readonly #byExternalId = new Map<string, BookEntry>();
  readonly entries: BookEntry[] = [];

  constructor(contacts: readonly Contact[]) {
    for (const contact of contacts) this.#add({ before: contact, after: contact, changed: new Set() });
  }

  find({ matchOn }: ImportSettings, { email, externalId }: Pick<ContactFields, "email" | "externalId">) {
    if (matchOn === "externalId") return externalId === null ? undefined : this.#byExternalId.get(externalId);
    const key = searchKey(email);
    return key === null ? undefined : this.#byEmail.get(key);
  }

  takenViolations(fields: ContactFields, own?: BookEntry): Violation[] {
    const others = [this.#byEmail.get(searchKey(fields.email) ?? ""), this.#byExternalId.get(fields.externalId ?? "")];
    const contacts = others.flatMap((entry) => (entry && entry !== own ? [entry.after] : []));
    return takenViolations(fields, contacts, own?.after.contactId);
  }

  insert(contact: Contact, changed: readonly string[]): void {
    this.#add({ before: undefined, after: contact, changed: new Set(changed) });
  }

  change(entry: BookEntry, after: Contact, changed: readonly string[]): void {
    this.#forget(entry.after);
    entry.after = after;
    for (const name of changed) entry.changed.add(name);
    this.#index(entry);
  }

  #add(entry: BookEntry): void {
    this.entries.push(entry);
    this.#index(entry);
  }

  #index(entry: BookEntry): void {
    const key = searchKey(entry.after.email);
    if (key !== null) this.#byEmail.set(key, entry);
    if (entry.after.externalId !== null) this.#byExternalId.set(entry.after.externalId, entry);
  }

  #forget({ email, externalId }: Contact): void {
    this.#byEmail.delete(searchKey(email) ?? "");
    this.#byExternalId.delete(externalId ?? "");
  }
}
