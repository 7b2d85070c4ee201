import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "@canvass/proto/events";
import type { TokenContext } from "../context.ts";
import { insertRecordedChanges } from "../storage/recorded-changes.ts";

/** Stores changes of other services in the audit log. An entry has the event's id, so a repeated event adds nothing. */
export async function storeAuditEntries(
  { database, limitWrites }: TokenContext,
  events: readonly Event[],
): Promise<void> {
  const changes = events.flatMap(({ eventId, workspaceId, occurredAt, body }) =>
    body.case === "auditRecorded" && occurredAt
      ? [{ entryId: eventId, workspaceId, at: timestampDate(occurredAt), recorded: body.value }]
      : [],
  );
  if (changes.length > 0) await limitWrites(() => insertRecordedChanges(database.sql, changes));
}
