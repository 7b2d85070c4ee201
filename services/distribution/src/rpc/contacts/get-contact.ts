import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetContactRequest, GetContactResponseSchema } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { DistributionContext } from "../../context.ts";
import { findErasures } from "../../storage/contacts/contact-erasures.ts";
import { contactMessage } from "./contact-message.ts";
import { requireContact } from "./require-contact.ts";

export async function getContact(
  { database: { sql } }: DistributionContext,
  { contactId }: GetContactRequest,
  { caller: { workspaceId } }: Call,
): Promise<MessageInitShape<typeof GetContactResponseSchema>> {
  const contact = await requireContact(sql, { workspaceId, contactId });
  const erasures = contact.anonymizedAt ? await findErasures(sql, workspaceId, [contactId]) : [];
  return { contact: contactMessage(contact, erasures) };
}
