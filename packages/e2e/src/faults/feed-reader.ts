import { setTimeout as delay } from "node:timers/promises";
import { readFeed, type FeedEvent } from "../read-feed.ts";
import type { ApiClient } from "../api-client.ts";

/** Follows a feed as an external client does. */
export interface FeedReader {
  /** In the order read. */
  events: readonly FeedEvent[];
  stop(): Promise<void>;
}

const PAUSE_MS = 300;

export function followFeed(api: ApiClient): FeedReader {
  const events: FeedEvent[] = [];
  const stopping = new AbortController();
  let cursor: string | undefined;

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      // The read fails while a part of the system is down; the next round repeats it.
      const more = await readFeed(api, cursor).catch(() => undefined);
      events.push(...(more?.events ?? []));
      cursor = more?.cursor ?? cursor;
      await delay(PAUSE_MS);
    }
  }

  const following = follow();
  return {
    events,
    async stop() {
      stopping.abort();
      await following;
    },
  };
}
