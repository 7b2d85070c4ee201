import type { MessageInitShape } from "@bufbuild/protobuf";
import { UnsubscribeContactResponseSchema, type UnsubscribeContactRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { withChanges } from "../../domain/contacts/contact.ts";
import { saveContacts } from "../../storage/contacts/contacts.ts";
import { respondWithContact } from "./respond-with-contact.ts";
import { recordContactChange } from "./record-contact-change.ts";
import { requireLockedContact, requireNotAnonymized } from "./require-contact.ts";

export function unsubscribeContact(
  context: DistributionContext,
  { contactId }: UnsubscribeContactRequest,
  call: Call,
): Promise<MessageInitShape<typeof UnsubscribeContactResponseSchema>> {
  return idempotentWrite(context, call, UnsubscribeContactResponseSchema, async (transaction) => {
    const { sql } = transaction;
    const before = await requireLockedContact(sql, { workspaceId: call.caller.workspaceId, contactId });
    requireNotAnonymized(before);
    const now = context.now();
    if (before.status === "unsubscribed") return respondWithContact(sql, call, before, now);
    const after = withChanges(before, { ...before, status: "unsubscribed" }, now);
    await saveContacts(sql, [after]);
    const change = { kind: "unsubscribed", action: "contact.unsubscribed", before, after, fields: ["status"] } as const;
    await recordContactChange(transaction, call, change);
    return respondWithContact(sql, call, after, now);
  });
}
