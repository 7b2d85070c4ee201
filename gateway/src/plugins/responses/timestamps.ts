import { timestampFromDate, timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { parseInstant } from "@canvass/values";
import { LRUCache } from "lru-cache";

const seconds = new LRUCache<number, string>({ max: 1_000 });

/** Formats milliseconds since 1970 as ISO 8601. Caches seconds, because V8 prints dates slowly. */
export function isoText(ms: number): string {
  const second = Math.floor(ms / 1000);
  let text = seconds.get(second);
  if (text === undefined) seconds.set(second, (text = new Date(second * 1000).toISOString().slice(0, -4)));
  return `${text}${String(ms - second * 1000).padStart(3, "0")}Z`;
}

/** Returns ISO 8601; the epoch for a missing time. */
export function isoTime(time: Timestamp | undefined): string {
  return isoText(time ? timestampMs(time) : 0);
}

export function isoTimeOrNull(time: Timestamp | undefined): string | null {
  return time ? isoText(timestampMs(time)) : null;
}

/** Parses a valid `date-time`. `Date` does not accept all of RFC 3339. */
export function timestampOf(text: string): Timestamp {
  return timestampFromDate(parseInstant(text)!);
}
