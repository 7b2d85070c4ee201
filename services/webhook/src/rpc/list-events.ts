import type { MessageInitShape } from "@bufbuild/protobuf";
import { validationFailed } from "@canvass/inputs";
import type { ListEventsRequest, ListEventsResponseSchema } from "@canvass/proto/webhook";
import type { Call } from "@canvass/rpc";
import type { WebhookContext } from "../context.ts";
import { readFeed } from "../storage/feed.ts";
import { requireWebhooks } from "./require-webhooks.ts";

const MAX_LIMIT = 100;
const START = "0";

/** The event feed (contract 8.11). A cursor is a position: what was purged behind it is simply not there any more. */
export async function listEvents(
  { database, cursors }: WebhookContext,
  { limit, cursor }: ListEventsRequest,
  { caller }: Call,
): Promise<MessageInitShape<typeof ListEventsResponseSchema>> {
  const { workspaceId } = caller;
  const binding = ["events", workspaceId];
  const after = cursor === "" ? START : cursors.decode(binding, cursor)?.[0];
  const faults = [
    ...(limit >= 1 && limit <= MAX_LIMIT ? [] : [{ path: "limit", message: `must be from 1 to ${MAX_LIMIT}` }]),
    ...(after === undefined ? [{ path: "cursor", message: "is not a cursor of this list" }] : []),
  ];
  if (faults.length > 0) throw validationFailed(faults);
  requireWebhooks(caller);
  const entries = await readFeed(database.sql, workspaceId, String(after), limit);
  const events = entries.map(({ position, eventId, type, timestamp, dataJson }) => ({
    eventId,
    type,
    timestamp,
    dataJson,
    cursor: cursors.encode(binding, [position]),
  }));
  // Without a cursor sent, an empty feed answers the one of its beginning, so that polling can go on from it.
  const sent = cursor === "" ? cursors.encode(binding, [START]) : cursor;
  return { events, nextCursor: events.at(-1)?.cursor ?? sent, hasMore: events.length === limit };
}
