import { timestampDate } from "@bufbuild/protobuf/wkt";
import { externalEvent } from "@canvass/events";
import { inTransaction, isUniqueViolation, retryOnConflict } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { WebhookContext } from "../context.ts";
import { insertFeedEntries, findNewEntries, type FeedEntry } from "../storage/feed.ts";
import { findListened } from "../storage/listening-intervals.ts";

/**
 * Appends each event that had listeners when it happened (contract 8.11), once, also when replicas store it at the same
 * time.
 */
export async function storeInFeed(context: WebhookContext, events: readonly Event[]): Promise<void> {
  const entries = await listenedEntries(context, events);
  if (entries.length === 0) return;
  // When another replica has committed them meanwhile, they are visible. The counter was rolled back: no gap.
  await retryOnConflict(() => append(context, entries), isUniqueViolation);
}

interface ShownEvent extends FeedEntry {
  occurredAt: Date;
}

async function listenedEntries({ database }: WebhookContext, events: readonly Event[]): Promise<ShownEvent[]> {
  const shown = events.flatMap((event) => {
    const external = externalEvent(event);
    if (!external) return [];
    const { workspaceId, eventId, occurredAt } = event;
    return [{ ...external, workspaceId, eventId, occurredAt: occurredAt ? timestampDate(occurredAt) : new Date(0) }];
  });
  if (shown.length === 0) return [];
  const listened = await findListened(database.hot.sql, shown);
  return shown.filter((_, index) => listened[index]);
}

async function append({ database, now, feedLag }: WebhookContext, entries: readonly ShownEvent[]): Promise<void> {
  const at = now();
  const added = await inTransaction(
    database.hot.pool,
    async (sql) => {
      const fresh = await findNewEntries(sql, entries);
      if (fresh.length > 0) await insertFeedEntries(sql, fresh, at);
      return fresh;
    },
    { retryOnce: true },
  );
  for (const { occurredAt } of added) feedLag.observe(Math.max(at.getTime() - occurredAt.getTime(), 0) / 1000);
}
