import type { MessageInitShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import { refuseFaults, updateContactBody, type ContactInput } from "@canvass/inputs";
import type { Sql } from "@canvass/postgres";
import { UpdateContactResponseSchema, type UpdateContactRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext, DistributionTransaction } from "../../context.ts";
import { revised, type Contact, type ContactRef } from "../../domain/contacts/contact.ts";
import { applyInput, changedFields, wholeFaults } from "../../domain/contacts/contact-input.ts";
import { uniqueKeys } from "../../domain/contacts/contact-keys.ts";
import { takenFaults } from "../../domain/contacts/taken-faults.ts";
import { lockContactsWith, lockKeys, saveContacts } from "../../storage/contacts/contacts.ts";
import { answerContact } from "./answer-contact.ts";
import { readBody, readContactInput } from "./read-input.ts";
import { recordContact } from "./record-contact.ts";
import { requireLockedContact, requireMatch, requirePerson } from "./require-contact.ts";

/** Changes what the body names (contract 11.2). A patch that changes nothing leaves no trace. */
export function updateContact(
  context: DistributionContext,
  { contactId, ifMatch, bodyJson }: UpdateContactRequest,
  call: Call,
): Promise<MessageInitShape<typeof UpdateContactResponseSchema>> {
  const ref = { workspaceId: call.caller.workspaceId, contactId };
  return idempotentWrite(context, call, UpdateContactResponseSchema, async (transaction) => {
    requireUpdates(bodyJson);
    const input = readContactInput(updateContactBody, bodyJson);
    const contact = await lockForPatch(transaction.sql, ref, input, ifMatch);
    const now = context.now();
    return answerContact(transaction.sql, call, await patch(transaction, call, contact, input, now), now);
  });
}

function requireUpdates(bodyJson: string): void {
  if (Object.keys(readBody(bodyJson)).length > 0) return;
  const names = Object.keys(updateContactBody.properties).join(", ");
  throw new AppError("invalid_request", { body: [`must name at least one of ${names}`] });
}

/** Keys come first, as everywhere (lockKeys). */
async function lockForPatch(sql: Sql, ref: ContactRef, input: ContactInput, ifMatch: string[]): Promise<Contact> {
  await lockKeys(sql, ref.workspaceId, uniqueKeys([taken(input)]));
  const contact = await requireLockedContact(sql, ref);
  requireMatch(ifMatch, contact);
  requirePerson(contact);
  return contact;
}

const taken = ({ email, externalId }: ContactInput) => ({ email: email ?? null, externalId: externalId ?? null });

async function patch(
  transaction: DistributionTransaction,
  call: Call,
  before: Contact,
  input: ContactInput,
  now: Date,
): Promise<Contact> {
  const { sql } = transaction;
  const { workspaceId, contactId } = before;
  const { email, externalId } = taken(input);
  const sought = { emails: email === null ? [] : [email], externalIds: externalId === null ? [] : [externalId] };
  const fields = applyInput(before, input);
  const others = await lockContactsWith(sql, workspaceId, sought);
  refuseFaults([...wholeFaults(fields), ...takenFaults(fields, others, contactId)]);
  const names = changedFields(before, fields);
  if (names.length === 0) return before;
  const after = revised(before, fields, now);
  await saveContacts(sql, [after]);
  await recordContact(transaction, call, { kind: "updated", action: "contact.updated", before, after, fields: names });
  return after;
}
