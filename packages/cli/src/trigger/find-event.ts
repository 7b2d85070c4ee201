import { OperationalError } from "@canvass/provisioning";
import type { Api, Canvass } from "@canvass/sdk";

/** Returns an event of the feed. Throws OperationalError if the feed does not have it. */
export async function findEvent(canvass: Canvass, eventId: string): Promise<Api.FeedEvent> {
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const { data: page } = await canvass.api.listEvents({ query });
    const found = page.data.find(({ id }) => id === eventId);
    if (found) return found;
    cursor = page.data.at(-1)?.cursor ?? cursor;
    if (!page.pagination.hasMore)
      throw new OperationalError(`The feed has no event ${eventId}; it keeps them for 30 days.`);
  }
}
