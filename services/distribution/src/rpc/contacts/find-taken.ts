import type { Violation } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import type { ContactFields } from "../../domain/contacts/contact.ts";
import { uniqueKeys } from "../../domain/contacts/contact-keys.ts";
import { takenViolations } from "../../domain/contacts/taken-violations.ts";
import { lockContactsWith, lockKeys } from "../../storage/contacts/contacts.ts";

/** Locks the unique keys of a new contact and returns violations of those that another contact has. */
export async function findTaken(sql: Sql, workspaceId: string, fields: ContactFields): Promise<Violation[]> {
  const { email, externalId } = fields;
  await lockKeys(sql, workspaceId, uniqueKeys([fields]));
  const sought = { emails: email === null ? [] : [email], externalIds: externalId === null ? [] : [externalId] };
  return takenViolations(fields, await lockContactsWith(sql, workspaceId, sought));
}
