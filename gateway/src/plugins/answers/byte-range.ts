import type { FastifyRequest } from "fastify";
import parseRange from "range-parser";

/** Bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The requested range (RFC 9110, 14.2); undefined for the whole file: for several ranges, one beyond the end, or an
 * `If-Range` with another version (13.1.5).
 */
export function requestedRange(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  { size, etag }: { size?: number | undefined; etag?: string | undefined },
): ByteRange | undefined {
  const { range, "if-range": version } = headers;
  if (method !== "GET" || range === undefined || size === undefined) return undefined;
  if (version !== undefined && version !== etag) return undefined;
  const ranges = parseRange(size, range, { combine: true });
  if (!Array.isArray(ranges) || ranges.type !== "bytes" || ranges.length !== 1) return undefined;
  return { start: ranges[0]!.start, end: ranges[0]!.end };
}
