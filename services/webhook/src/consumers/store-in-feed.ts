import { externalEvent, type ExternalEvent } from "@canvass/events";
import { inTransaction, isUniqueViolation, retryOnConflict } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { WebhookContext } from "../context.ts";
import { insertFeedEntries, findNewEntries } from "../storage/feed.ts";
import { evaluateWithPlans } from "@canvass/plan-history";
import { findListened } from "../storage/listening-intervals.ts";

/**
 * Stores events that had listeners, each once (contract 8.11). Returns the ids of settled events; others must be
 * repeated.
 */
export async function storeInFeed(context: WebhookContext, events: readonly Event[]): Promise<string[]> {
  const shown = events.flatMap((event) => externalEvent(event) ?? []);
  const listened = await evaluateWithPlans(context.fetchPlanChanges, shown, (some) =>
    findListened(context.database.hot.sql, some),
  );
  const entries = shown.filter((_, index) => listened[index]);
  // After a conflict the retry sees the other replica's commit. The rollback resets the counter, so there is no gap.
  if (entries.length > 0) await retryOnConflict(() => append(context, entries), isUniqueViolation);
  const undecided = new Set(shown.flatMap(({ eventId }, index) => (listened[index] === undefined ? [eventId] : [])));
  return events.map(({ eventId }) => eventId).filter((eventId) => !undecided.has(eventId));
}

async function append({ database, now, feedLag }: WebhookContext, entries: readonly ExternalEvent[]): Promise<void> {
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
