import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Sql } from "@canvass/postgres";
import type { ContactSchema } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import type { Contact } from "../../domain/contacts/contact.ts";
import { linkStoredResponse } from "../../storage/contacts/stored-response-links.ts";
import { contactMessage } from "./contact-message.ts";

/** Returns the response. Links its idempotency record to the contact, so that both are deleted together. */
export async function respondWithContact(
  sql: Sql,
  call: Call,
  contact: Contact,
  now: Date,
): Promise<{ contact: MessageInitShape<typeof ContactSchema> }> {
  if (call.idempotency) await linkStoredResponse(sql, contact, call.idempotency, now);
  return { contact: contactMessage(contact) };
}
