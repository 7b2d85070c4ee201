import type { MessageInitShape } from "@bufbuild/protobuf";
import { auditEvent } from "@canvass/events";
import { deleteContactsBody, readBody } from "@canvass/inputs";
import { isId } from "@canvass/values";
import { DeleteContactsResponseSchema, type DeleteContactsRequest } from "@canvass/proto/distribution-contacts";
import type { Call } from "@canvass/rpc";
import { idempotentWrite } from "@canvass/service";
import type { DistributionContext } from "../../context.ts";
import { addStatusCounts, incrementCount, type StatusCounts } from "../../storage/contacts/contact-counters.ts";
import { deleteContacts as deleteStored, lockContacts } from "../../storage/contacts/contacts.ts";
import { goneContactsEvent } from "../collecting-change.ts";

/** A repeated id is found once (contract 11.5). Returns when the links of the contacts no longer work. */
export async function deleteContacts(
  context: DistributionContext,
  { bodyJson }: DeleteContactsRequest,
  call: Call,
): Promise<MessageInitShape<typeof DeleteContactsResponseSchema>> {
  const { workspaceId } = call.caller;
  const answer = await idempotentWrite(context, call, DeleteContactsResponseSchema, async ({ sql, publish }) => {
    const { ids: contactIds } = readBody(deleteContactsBody, bodyJson);
    const present = await lockContacts(sql, workspaceId, contactIds.filter(isId));
    const ids = present.map(({ contactId }) => contactId);
    await deleteStored(sql, workspaceId, ids);
    const changes: Partial<StatusCounts> = {};
    for (const { status } of present) incrementCount(changes, status, -1);
    await addStatusCounts(sql, workspaceId, changes);
    const at = context.now();
    const audited = { source: "distribution", at, action: "contact.deleted" } as const;
    if (ids.length > 0) {
      await publish(goneContactsEvent(workspaceId, ids, "deleted", at));
      await publish(...ids.map((resourceId) => auditEvent(call, { ...audited, resourceId })));
    }
    const left = new Set(ids);
    return { results: contactIds.map((contactId) => ({ contactId, found: left.delete(contactId) })) };
  });
  const ids = answer.results.flatMap(({ contactId, found }) => (found ? [contactId] : []));
  if (ids.length > 0) await context.pushCollecting(goneContactsEvent(workspaceId, ids, "deleted", context.now()));
  return answer;
}
