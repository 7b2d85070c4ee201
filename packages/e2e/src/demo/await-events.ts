import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient } from "../api-client.ts";
import { readFeed, type FeedEvent } from "../read-feed.ts";
import type { VerifyingReceiver } from "../webhook-receiver.ts";
import type { Progress } from "./progress.ts";

const patienceMs = 120_000;

/**
 * Waits until every completion has arrived as a webhook and in the feed, or until the timeout. Returns the feed's
 * events.
 */
export async function awaitEvents(
  api: ApiClient,
  receiver: VerifyingReceiver,
  expected: number,
  progress: Progress,
): Promise<FeedEvent[]> {
  const webhooks = progress.bar("Webhooks", expected);
  const feed = progress.bar("Feed events", expected);
  const events: FeedEvent[] = [];
  let cursor: string | undefined;
  const until = Date.now() + patienceMs;
  for (;;) {
    const more = await readFeed(api, cursor);
    events.push(...more.events);
    cursor = more.cursor;
    webhooks.set(receiver.verified.size);
    feed.set(events.length);
    const isThere = receiver.verified.size >= expected && events.length >= expected;
    if (isThere || Date.now() > until) return events;
    await delay(200);
  }
}
