import { readObject, refuseFaults, requireUpdates, type ContactInput } from "@canvass/inputs";
import type { TSchema } from "typebox";
import { contactFaults } from "../../domain/contacts/contact-input.ts";

/** Parses a contact's fields. Throws `validation_failed` with every fault that shows without other contacts. */
export function readContactInput(schema: TSchema, json: string): ContactInput {
  const body = readObject(json);
  requireUpdates(schema, body);
  refuseFaults(contactFaults(schema, body));
  return body;
}
