import type { FastifyRequest } from "fastify";
import parseRange from "range-parser";

/** Bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range a request asks for (RFC 9110, 14.2); undefined for the whole file, which also those get who ask for
 * several ranges, for one beyond the end, or with an `If-Range` that names another version (13.1.5).
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
