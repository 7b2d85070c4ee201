import type { MessageInitShape } from "@bufbuild/protobuf";
import { createContactBody, refuseViolations } from "@canvass/inputs";
import { newId } from "@canvass/values";
import { CreateContactResponseSchema, type CreateContactRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { emptyFields, newContact } from "../../domain/contacts/contact.ts";
import { applyInput, changedFields, wholeViolations } from "../../domain/contacts/contact-input.ts";
import { insertContacts } from "../../storage/contacts/contacts.ts";
import { respondWithContact } from "./respond-with-contact.ts";
import { findTaken } from "./find-taken.ts";
import { readContactInput } from "./read-input.ts";
import { recordContactChange } from "./record-contact-change.ts";

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
