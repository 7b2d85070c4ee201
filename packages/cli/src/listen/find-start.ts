import { CanvassError, type Canvass } from "@canvass/sdk";

/** Returns the cursor of the last event before this time, so that reading starts after it; null if there is none. */
export async function cursorBefore(canvass: Canvass, moment: number, signal: AbortSignal): Promise<string | null> {
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const { data: page } = await canvass.api.listEvents({ query, signal });
    const first = page.data.findIndex(({ timestamp }) => Date.parse(timestamp) >= moment);
    const passed = first === -1 ? page.data : page.data.slice(0, first);
    cursor = passed.at(-1)?.cursor ?? cursor;
    if (first !== -1 || !page.pagination.hasMore) return cursor ?? null;
  }
}

/** Whether the feed takes a cursor. It refuses those of another workspace or installation. */
export async function takesCursor(canvass: Canvass, cursor: string, signal: AbortSignal): Promise<boolean> {
  try {
    await canvass.api.listEvents({ query: { limit: 1, cursor }, signal });
    return true;
  } catch (error) {
    if (error instanceof CanvassError && error.code === "validation_failed") return false;
    throw error;
  }
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Returns the moment that `2h`, `30m`, `1d`, `all` or a date-time means; undefined for anything else. */
export function parseStart(text: string, now = Date.now()): number | undefined {
  if (text === "all") return 0;
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * units[unit as keyof typeof units];
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
