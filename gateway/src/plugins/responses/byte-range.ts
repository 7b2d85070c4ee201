import type { FastifyRequest } from "fastify";

/** A range of bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the single requested range. Undefined: send the whole file, as for several ranges (RFC 9110, 14.2) or another
 * version (13.1.5).
 */
export function requestedRange(
  { method, headers }: Pick<FastifyRequest, "method" | "headers">,
  { size, etag }: { size?: number | undefined; etag?: string | undefined },
): ByteRange | "unsatisfiable" | undefined {
  const { range, "if-range": version } = headers;
  if (method !== "GET" || range === undefined || size === undefined) return undefined;
  if (version !== undefined && version !== etag) return undefined;
  const ranges = parseRanges(range, size);
  if (ranges?.length === 0) return "unsatisfiable";
  return ranges?.length === 1 ? ranges[0] : undefined;
}

/**
 * Returns satisfiable ranges (RFC 9110, 14.1.2); undefined if the header is malformed. The package range-parser
 * misreads long suffixes and reversed ends.
 */
function parseRanges(header: string, size: number): ByteRange[] | undefined {
  const [, set = ""] = /^bytes=(.*)$/i.exec(header) ?? [];
  const specs = set.split(",").map((spec) => spec.trim());
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const [, first, last] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
    if (first === undefined || last === undefined || spec === "-") return undefined;
    if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
    const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
    const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
    if (start <= end) ranges.push({ start, end });
  }
  return ranges;
}
