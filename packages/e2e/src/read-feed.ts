import type { ApiClient } from "./api-client.ts";

export interface FeedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: { workspace_id: string; survey_id: string; response_id: string; completed_at: string };
  cursor: string;
}

/** Reads the feed from a cursor to its end. Returns the events and the last cursor. */
export async function readFeed(api: ApiClient, cursor?: string): Promise<{ events: FeedEvent[]; cursor?: string }> {
  const events: FeedEvent[] = [];
  for (;;) {
    const query = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page = await api.get<FeedEvent[]>(`/events?limit=100${query}`);
    events.push(...page.data);
    cursor = page.body.pagination.cursor_next || cursor;
    if (!page.body.pagination.hasMore) return { events, ...(cursor && { cursor }) };
  }
}
