import { AppError } from "@canvass/errors";
import type { CallOptions } from "@connectrpc/connect";
import { create as contentDisposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { fulfilsIfMatch, matchesIfNoneMatch } from "./etag.ts";
import { fileName } from "./file-name.ts";
import { openStream } from "./open-stream.ts";
import { sendChunks } from "./send-chunks.ts";

const disposition = { type: "string", description: "`attachment` with the file's name (RFC 6266)" };
const contentRange = { type: "string", description: "which bytes of the file these are" };

export const binary = { type: "string", format: "binary" };

/** `mediaType` may be a range such as `image/*`: clients receive bytes for any type. */
export function fileResponse(description: string, mediaType: string) {
  const content = { [mediaType]: { schema: binary } };
  const headers = { "Content-Disposition": disposition };
  return {
    200: { description: `${description}, without envelope`, content, headers },
    206: {
      description: "The part that `Range` requests",
      content,
      headers: { ...headers, "Content-Range": contentRange },
    },
  };
}

export interface ServedFile {
  mediaType: string;
  /** Any text. `fileName` cleans it, then RFC 6266 and RFC 8187 encode it. */
  name: string;
  /** In bytes. If absent, there is no `Content-Length` and ranges are ignored. */
  size?: number | undefined;
  etag?: string | undefined;
  /** The workspace whose stream limit applies when there is no caller, as at a signed URL. */
  ownerId?: string | undefined;
  open: (options: CallOptions, range: ByteRange | undefined) => AsyncIterable<Uint8Array>;
}

/**
 * Sends a file, a range of it, or 304. Browsers resume a download by `If-Match` and a range. Headers prevent browsers
 * from executing the file, because it may contain text of respondents.
 */
export async function respondWithFile(context: GatewayContext, reply: FastifyReply, file: ServedFile): Promise<void> {
  const { method, headers } = reply.request;
  const { "if-match": expected, "if-none-match": known } = headers;
  if (expected !== undefined && !fulfilsIfMatch(expected, file.etag)) throw new AppError("precondition_failed");
  if (file.etag !== undefined && known !== undefined && matchesIfNoneMatch(known, file.etag)) {
    void reply.code(304).header("etag", file.etag).header("cache-control", "private, no-cache").send();
    return;
  }
  const range = requestedRange(reply.request, file);
  if (range === "unsatisfiable") throw notSatisfiable(reply, file);
  const length = range ? range.end - range.start + 1 : file.size;
  const open = (options: CallOptions) => (method === "HEAD" ? nothing() : file.open(options, range));
  using stream = await openStream(context, reply, open, file.ownerId);
  setHeaders(reply, file, range, length);
  const chunks = method === "HEAD" ? stream.chunks : exactly(length, stream.chunks);
  await sendChunks(context, reply, { chunks, signal: stream.signal });
}

/** Reports the size (RFC 9110, 15.5.17). */
function notSatisfiable(reply: FastifyReply, { size }: ServedFile): AppError {
  reply.headers({ "accept-ranges": "bytes", "content-range": `bytes */${size}` });
  return new AppError("range_not_satisfiable", { size: size! });
}

function setHeaders(
  reply: FastifyReply,
  { mediaType, name, size, etag }: ServedFile,
  range: ByteRange | undefined,
  length: number | undefined,
): void {
  reply.headers({
    "content-type": mediaType,
    "content-disposition": contentDisposition(fileName(name)),
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    ...(length !== undefined && { "content-length": length, "accept-ranges": "bytes" }),
    ...(etag !== undefined && { etag, "cache-control": "private, no-cache" }),
  });
  if (range) reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${size}`);
}

async function* exactly(
  length: number | undefined,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  let sent = 0;
  for await (const chunk of chunks) {
    sent += chunk.length;
    if (length !== undefined && sent > length) break;
    yield chunk;
  }
  if (length !== undefined && sent !== length) throw new Error(`a file has other than its ${length} bytes`);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** A range of bytes of a file, both ends included. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the single requested range. Undefined: send the whole file, as for several ranges (RFC 9110, 14.2) or another
 * version (13.1.5).
 */
function requestedRange(
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
