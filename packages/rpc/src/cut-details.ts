import type { ErrorDetails } from "@canvass/errors";

/** As base64 this stays below 64 KiB, beyond which clients drop all trailers. */
export const trailerBytes = 40_000;
const NOTE_BYTES = 100;

interface Part {
  key: string;
  value: unknown;
  isItem: boolean;
}

/**
 * Shortens details to `mostBytes`: keeps single values, then items of lists in order, and notes how many of both are
 * left out. Returns details that fit, also if they were shortened before, as they are.
 */
export function cutDetails(details: ErrorDetails, mostBytes = trailerBytes): ErrorDetails {
  const kept: Part[] = [];
  let bytes = 0;
  for (const part of partsOf(details)) {
    bytes += sizeOf(part);
    if (bytes > mostBytes) return withNote(kept, countParts(details) - kept.length);
    if (bytes <= mostBytes - NOTE_BYTES) kept.push(part);
  }
  return details;
}

function* partsOf(details: ErrorDetails): Generator<Part> {
  const entries = Object.entries(details);
  for (const [key, value] of entries) if (!isList(value)) yield { key, value, isItem: false };
  for (const [key, value] of entries) {
    if (isList(value)) for (const item of value) yield { key, value: item, isItem: true };
  }
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function sizeOf({ key, value, isItem }: Part): number {
  return Buffer.byteLength(JSON.stringify({ [key]: isItem ? [value] : value }));
}

function countParts(details: ErrorDetails): number {
  return Object.values(details).reduce<number>((sum, value) => sum + (isList(value) ? value.length : 1), 0);
}

function withNote(parts: readonly Part[], leftOut: number): ErrorDetails {
  const joined = new Map<string, unknown>();
  for (const { key, value, isItem } of [
    ...parts,
    { key: "…", value: `${leftOut} more are left out here`, isItem: true },
  ]) {
    const before = joined.get(key);
    if (!isItem) joined.set(key, value);
    else if (Array.isArray(before)) before.push(value);
    else joined.set(key, [value]);
  }
  return Object.fromEntries(joined);
}
