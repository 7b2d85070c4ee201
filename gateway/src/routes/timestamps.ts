import { timestampFromDate, timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";
import { parseInstant } from "@canvass/values";
import { isoText } from "../plugins/responses/iso-text.ts";

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
