import type { MessageInitShape } from "@bufbuild/protobuf";
import { refuseViolations } from "@canvass/inputs";
import { openPage } from "@canvass/postgres";
import type { ListEventsRequest, ListEventsResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { findFeedEntries } from "../storage/feed.ts";
import { requireWebhooks } from "./require-webhooks.ts";

const START = "0";

/** A cursor is a position in the feed (contract 8.11). */
export async function listEvents(
  { database, cursors }: WebhookContext,
  request: ListEventsRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof ListEventsResponseSchema>> {
  const { workspaceId } = caller;
  const page = openPage<[position: string]>(cursors, ["events", workspaceId], request);
  refuseViolations(page.violations);
  requireWebhooks(caller);
  const [after] = page.after ?? [START];
  const found = await findFeedEntries(database.sql, workspaceId, after, request.limit);
  const events = found.map(({ position, eventId, type, timestamp, dataJson }) => ({
    eventId,
    type,
    timestamp,
    dataJson,
    cursor: page.cursorAt([position]),
  }));
  // The end of a feed has a cursor, from which polling continues. A full page reports more, even at the end.
  const nextCursor = events.at(-1)?.cursor ?? page.cursorAt([after]);
  return { events, nextCursor, hasMore: found.length === request.limit };
}
