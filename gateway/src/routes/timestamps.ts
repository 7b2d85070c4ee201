import { timestampDate, timestampFromDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { parseInstant } from "@canvass/inputs";

/** ISO 8601; the epoch for a missing time. */
export function isoTime(time: Timestamp | undefined): string {
  return time ? timestampDate(time).toISOString() : new Date(0).toISOString();
}

/** ISO 8601, or null where there is none. */
export function isoTimeOrNull(time: Timestamp | undefined): string | null {
  return time ? timestampDate(time).toISOString() : null;
}

/** The moment of a valid `date-time` text. `Date` does not read all of RFC 3339. */
export function timestampOf(text: string): Timestamp {
  return timestampFromDate(parseInstant(text)!);
}
