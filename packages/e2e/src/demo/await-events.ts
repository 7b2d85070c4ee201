import type { Api, Canvass } from "@canvass/sdk";
import { setTimeout as delay } from "node:timers/promises";
import type { VerifyingReceiver } from "../webhook-receiver.ts";
import type { Progress } from "./progress.ts";

const patienceMs = 120_000;

/**
 * Follows the feed and counts webhooks until every completion has arrived in both, or until the timeout. Returns the
 * feed's events.
 */
export async function awaitEvents(
  canvass: Canvass,
  receiver: VerifyingReceiver,
  expected: number,
  progress: Progress,
): Promise<Api.FeedEvent[]> {
  const webhooks = progress.bar("Webhooks", expected);
  const feed = progress.bar("Feed events", expected);
  const events: Api.FeedEvent[] = [];
  const signal = AbortSignal.timeout(patienceMs);
  const following = new AbortController();
  const followed = (async () => {
    const until = AbortSignal.any([signal, following.signal]);
    for await (const event of canvass.events.follow({ pollMs: 200, signal: until })) events.push(event);
  })();
  for (;;) {
    webhooks.set(receiver.verified.size);
    feed.set(events.length);
    const isThere = receiver.verified.size >= expected && events.length >= expected;
    if (isThere || signal.aborted) break;
    await Promise.race([followed, delay(200)]);
  }
  following.abort();
  await followed;
  return events;
}
