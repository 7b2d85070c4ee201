import type { FeedEvent } from "../../gen/api/types.gen.ts";
import type { Connection } from "../connection/connect.ts";
import { backoff, sleep } from "../connection/pause.ts";
import { CanvassError } from "../errors/canvass-error.ts";
import { memoryStore, type CursorStore } from "./cursor-store.ts";

export interface FollowOptions {
  /** Default: in memory, so each start begins with the oldest event that is kept. */
  store?: CursorStore;
  /** Ends the loop, after the event that is being handled. */
  signal?: AbortSignal;
  /** Milliseconds between two looks for new events. Default: 2,000. */
  pollMs?: number;
  /** Is awaited for each page that was read, also an empty one, before its events. What it throws ends the loop. */
  onPage?: () => void | Promise<void>;
  /** Gets the failures that are waited out. */
  onFailure?: (error: CanvassError) => void;
}

/**
 * Yields the events of the feed, oldest first, and waits for new ones (contract 8.11). Saves the cursor of an event
 * when the loop asks for the next: an event comes again only if its handling threw or the loop ended at it. Waits out
 * retryable failures; throws others.
 */
export async function* followEvents(
  connection: Connection,
  { store = memoryStore(), signal, pollMs = 2_000, onPage, onFailure }: FollowOptions,
): AsyncGenerator<FeedEvent, void, undefined> {
  let cursor = await store.load();
  const stopped = () => signal?.aborted ?? false;
  for (let failures = 0; !stopped();) {
    const page = await readPage(connection, cursor, signal).catch((error: unknown) => {
      if (stopped()) return undefined;
      if (!(error instanceof CanvassError) || !error.retryable) throw error;
      onFailure?.(error);
      return undefined;
    });
    failures = page ? 0 : failures + 1;
    if (page) await onPage?.();
    for (const event of page?.data ?? []) {
      if (stopped()) return;
      yield event;
      await store.save(event.cursor);
      cursor = event.cursor;
    }
    if (!page?.pagination.hasMore) await sleep(page ? pollMs : backoff(failures), signal).catch(() => undefined);
  }
}

async function readPage({ api, sending }: Connection, cursor: string | undefined, signal: AbortSignal | undefined) {
  const { data } = await api.listEvents({ query: { limit: 100, cursor }, ...sending({ ...(signal && { signal }) }) });
  return data;
}
