import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";

/** ISO 8601; the epoch for a time that a service forgot to give. */
export function isoTime(time: Timestamp | undefined): string {
  return time ? timestampDate(time).toISOString() : new Date(0).toISOString();
}

/** ISO 8601, or null where there is none. */
export function isoTimeOrNull(time: Timestamp | undefined): string | null {
  return time ? timestampDate(time).toISOString() : null;
}
