import type { MessageInitShape } from "@bufbuild/protobuf";
import { newEvent } from "@canvass/events";
import { anonymizeContactBody, readBody } from "@canvass/inputs";
import { AnonymizeContactResponseSchema, type AnonymizeContactRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { anonymized, emptyFields } from "../../domain/contacts/contact.ts";
import { changedFields } from "../../domain/contacts/contact-input.ts";
import { insertErasure } from "../../storage/contacts/contact-erasures.ts";
import { deleteStoredResponses } from "../../storage/contacts/stored-response-links.ts";
import { saveContacts } from "../../storage/contacts/contacts.ts";
import { goneContactsEvent } from "../collecting-change.ts";
import { contactMessage } from "./contact-message.ts";
import { recordContactChange } from "./record-contact-change.ts";
import { requireLockedContact, requireNotAnonymized } from "./require-contact.ts";

/** Also erases the stored responses that show the contact (contract 11.7). Returns when its links no longer work. */
export async function anonymizeContact(
  context: DistributionContext,
  { contactId, bodyJson }: AnonymizeContactRequest,
  call: Call,
): Promise<MessageInitShape<typeof AnonymizeContactResponseSchema>> {
  const { workspaceId } = call.caller;
  const answer = await idempotentWrite(context, call, AnonymizeContactResponseSchema, async (transaction) => {
    const { sql, publish } = transaction;
    readBody(anonymizeContactBody, bodyJson);
    const before = await requireLockedContact(sql, { workspaceId, contactId });
    requireNotAnonymized(before);
    const at = context.now();
    const after = anonymized(before, at);
    await saveContacts(sql, [after]);
    const fields = changedFields({ ...emptyFields, status: before.status }, { ...before, status: "anonymized" });
    const recordedAnswers = await deleteStoredResponses(sql, workspaceId, [contactId]);
    const erased = { fields: fields.length - 1, recordedAnswers };
    const erasure = { service: "distribution", erased, erasedAt: at };
    await insertErasure(sql, after, erasure);
    await publish(newEvent({ workspaceId, occurredAt: at, body: { case: "contactAnonymized", value: { contactId } } }));
    await publish(goneContactsEvent(workspaceId, [contactId], "anonymized", at));
    await recordContactChange(transaction, call, {
      kind: "anonymized",
      action: "contact.anonymized",
      before,
      after,
      fields,
    });
    return { contact: contactMessage(after, [erasure]) };
  });
  await context.pushCollecting(goneContactsEvent(workspaceId, [contactId], "anonymized", context.now()));
  return answer;
}
