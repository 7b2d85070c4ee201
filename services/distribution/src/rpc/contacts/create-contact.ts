import type { MessageInitShape } from "@bufbuild/protobuf";
import { createContactBody, refuseViolations, type Violation } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { CreateContactResponseSchema, type CreateContactRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { emptyFields, newContact, type ContactFields } from "../../domain/contacts/contact.ts";
import { applyInput, changedFields, wholeViolations } from "../../domain/contacts/contact-input.ts";
import { insertContacts, lockContactsWith, lockKeys } from "../../storage/contacts/contacts.ts";
import { respondWithContact } from "./respond-with-contact.ts";
import { readContactInput } from "./read-input.ts";
import { recordContactChange } from "./record-contact-change.ts";
import type { Sql } from "@canvass/postgres";
import { uniqueKeys } from "../../domain/contacts/contact-keys.ts";
import { takenViolations } from "../../domain/contacts/taken-violations.ts";

export function createContact(
  context: DistributionContext,
  { bodyJson }: CreateContactRequest,
  call: Call,
): Promise<MessageInitShape<typeof CreateContactResponseSchema>> {
  const { workspaceId } = call.caller;
  return idempotentWrite(context, call, CreateContactResponseSchema, async (transaction) => {
    const { sql } = transaction;
    const fields = applyInput(emptyFields, readContactInput(createContactBody, bodyJson));
    refuseViolations([...wholeViolations(fields), ...(await findTaken(sql, workspaceId, fields))]);
    const at = context.now();
    const contact = newContact({ workspaceId, contactId: newId(at) }, fields, at);
    await insertContacts(sql, [contact]);
    const names = changedFields(emptyFields, fields);
    await recordContactChange(transaction, call, {
      kind: "created",
      action: "contact.created",
      after: contact,
      fields: names,
    });
    return respondWithContact(sql, call, contact, at);
  });
}

/** Locks the unique keys of a new contact, and returns a violation for each key that another contact has. */
async function findTaken(sql: Sql, workspaceId: string, fields: ContactFields): Promise<Violation[]> {
  const { email, externalId } = fields;
  await lockKeys(sql, workspaceId, uniqueKeys([fields]));
  const sought = { emails: email === null ? [] : [email], externalIds: externalId === null ? [] : [externalId] };
  return takenViolations(fields, await lockContactsWith(sql, workspaceId, sought));
}
