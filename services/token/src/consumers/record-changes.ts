import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "@canvass/proto/events";
import type { TokenContext } from "../context.ts";
import { appendRecordedChanges } from "../storage/recorded-changes.ts";

/**
 * Puts the changes that other services tell of into the audit log. An entry has the id of its event, so that each is
 * there once, however often the event comes.
 */
export async function recordChanges({ database, writeGate }: TokenContext, events: readonly Event[]): Promise<void> {
  const changes = events.flatMap(({ eventId, workspaceId, occurredAt, body }) =>
    body.case === "auditRecorded" && occurredAt
      ? [{ entryId: eventId, workspaceId, at: timestampDate(occurredAt), recorded: body.value }]
      : [],
  );
  if (changes.length > 0) await writeGate(() => appendRecordedChanges(database.sql, changes));
}
