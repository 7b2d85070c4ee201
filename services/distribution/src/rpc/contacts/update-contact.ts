import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { refuseViolations, requireIfMatch, updateContactBody, type ContactInput } from "@canvass/inputs";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import { UpdateContactResponseSchema, type UpdateContactRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext, DistributionTransaction } from "../../context.ts";
import { withChanges, type Contact, type ContactRef } from "../../domain/contacts/contact.ts";
import { applyInput, changedFields, wholeViolations } from "../../domain/contacts/contact-input.ts";
import { uniqueKeys } from "../../domain/contacts/contact-keys.ts";
import { takenViolations } from "../../domain/contacts/taken-violations.ts";
import { lockContactsWith, lockKeys, saveContacts } from "../../storage/contacts/contacts.ts";
import { respondWithContact } from "./respond-with-contact.ts";
import { readContactInput } from "./read-input.ts";
import { recordContactChange } from "./record-contact-change.ts";
import { requireMatch, requireNotAnonymized } from "./require-contact.ts";

/** Changes the fields that the body contains (contract 11.2). A patch without changes is not recorded. */
export function updateContact(
  context: DistributionContext,
  { contactId, ifMatch, bodyJson }: UpdateContactRequest,
  call: Call,
): Promise<MessageInitShape<typeof UpdateContactResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, contactId };
  return idempotentWrite(context, call, UpdateContactResponseSchema, async (transaction) => {
    requireIfMatch(ifMatch);
    const input = readContactInput(updateContactBody, bodyJson);
    const locked = await lockForPatch(transaction.sql, ref, input, ifMatch);
    const now = context.now();
    return respondWithContact(transaction.sql, call, await patch(transaction, call, locked, input, now), now);
  });
}

interface Locked {
  contact: Contact;
  others: Contact[];
}

/** Locks the keys first, then all contacts in one order, because two patches may exchange addresses. */
async function lockForPatch(sql: Sql, ref: ContactRef, input: ContactInput, ifMatch: string[]): Promise<Locked> {
  const { workspaceId, contactId } = ref;
  const { email, externalId } = uniqueFieldsOf(input);
  await lockKeys(sql, workspaceId, uniqueKeys([{ email, externalId }]));
  const emails = email === null ? [] : [email];
  const externalIds = externalId === null ? [] : [externalId];
  const contactIds = isId(contactId) ? [contactId] : [];
  const locked = await lockContactsWith(sql, workspaceId, { emails, externalIds, contactIds });
  const contact = locked.find((found) => found.contactId === contactId);
  if (!contact) throw new AppError("contact_not_found");
  requireMatch(ifMatch, contact);
  requireNotAnonymized(contact);
  return { contact, others: locked.filter((found) => found !== contact) };
}

const uniqueFieldsOf = ({ email, externalId }: ContactInput) => ({
  email: email ?? null,
  externalId: externalId ?? null,
});

async function patch(
  transaction: DistributionTransaction,
  call: Call,
  { contact: before, others }: Locked,
  input: ContactInput,
  now: Date,
): Promise<Contact> {
  const fields = applyInput(before, input);
  refuseViolations([...wholeViolations(fields), ...takenViolations(fields, others)]);
  const names = changedFields(before, fields);
  if (names.length === 0) return before;
  const after = withChanges(before, fields, now);
  await saveContacts(transaction.sql, [after]);
  await recordContactChange(transaction, call, {
    kind: "updated",
    action: "contact.updated",
    before,
    after,
    fields: names,
  });
  return after;
}
