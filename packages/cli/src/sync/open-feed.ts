import { CanvassError, type Canvass } from "@canvass/sdk";
import { ensureSubscription } from "../listen/feed-subscription.ts";
import { cursorBefore } from "../listen/find-start.ts";

/**
 * Ensures a subscription of the feed, and returns the cursor from which to read it. Null for tokens and plans without
 * events: then only counts show completions.
 */
export async function openFeed(canvass: Canvass, known: string | null, signal: AbortSignal): Promise<string | null> {
  try {
    await ensureSubscription(canvass, null, { signal });
    return known ?? (await cursorBefore(canvass, Infinity, signal)) ?? "";
  } catch (error) {
    if (error instanceof CanvassError && error.status === 403) return null;
    throw error;
  }
}
