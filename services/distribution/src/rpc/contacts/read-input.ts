import { readObject, refuseViolations, requireUpdates, type ContactInput } from "@canvass/inputs";
import type { TSchema } from "typebox";
import { contactViolations } from "../../domain/contacts/contact-input.ts";

export function readContactInput(schema: TSchema, json: string): ContactInput {
  const body = readObject(json);
  requireUpdates(schema, body);
  refuseViolations(contactViolations(schema, body));
  return body;
}
