import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "@canvass/proto/events";
import type { DistributionContext } from "../context.ts";
import { insertErasure } from "../storage/contacts/contact-erasures.ts";

export async function completeReceipts(
  { database: { sql } }: DistributionContext,
  events: readonly Event[],
): Promise<void> {
  for (const { workspaceId, occurredAt, body } of events) {
    if (body.case !== "contactErased" || !occurredAt) continue;
    const { contactId, erased } = body.value;
    await insertErasure(
      sql,
      { workspaceId, contactId },
      {
        service: "response",
        erased,
        erasedAt: timestampDate(occurredAt),
      },
    );
  }
}
