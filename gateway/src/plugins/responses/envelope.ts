import type { FastifyReply } from "fastify";
import { Readable } from "node:stream";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { matchesIfNoneMatch } from "./etag.ts";
import type { GatewayContext } from "../../context.ts";
import { isoText } from "./timestamps.ts";
import { inWrites, watchReader } from "./watch-reader.ts";

/** `meta.version` of every response (contract 1.2). */
export const apiVersion = "1.0";

/** `meta` of every response (contract 1.2). */
export interface Meta {
  timestamp: string;
  version: string;
  requestId: string;
  etag?: string;
}

/** `pagination` of a list (contract 2.7, 2.8). */
export interface Pagination {
  cursor_next: string | null;
  hasMore: boolean;
  total?: number;
  totalIsExact?: boolean;
  page?: number;
  limit?: number;
  totalPages?: number;
}

/** Data that is already JSON text, either shared by many responses or rendered by a service. */
export class RenderedData {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Long data: JSON text in chunks, sent as fast as the reader takes it. */
export class StreamedData {
  readonly chunks: AsyncIterable<string>;

  constructor(chunks: AsyncIterable<string>) {
    this.chunks = chunks;
  }
}

export interface Success {
  data: unknown;
  pagination?: Pagination;
  /** A strong entity tag with its quotes. */
  etag?: string;
}

export function metaOf(requestId: string, answeredAt: Date): Meta {
  return { timestamp: isoText(answeredAt.getTime()), version: apiVersion, requestId };
}

/** Sends a success envelope (contract 1.1), or 304. A replay equals the first response byte for byte (contract 3.5). */
export function respond(
  context: GatewayContext,
  reply: FastifyReply,
  { data, pagination, etag }: Success,
): FastifyReply {
  const { now } = context;
  const { request } = reply;
  const meta = firstAnswer(reply) ?? metaOf(request.id, whenAnswered(reply) ?? now());
  if (etag !== undefined) {
    meta.etag = etag;
    reply.header("etag", etag);
    if (request.method === "GET" || request.method === "HEAD") {
      reply.header("cache-control", "private, no-cache");
      const known = request.headers["if-none-match"];
      if (known !== undefined && matchesIfNoneMatch(known, etag)) return reply.code(304).send();
    }
  }
  if (data instanceof RenderedData) return sendRendered(reply, data, pagination, meta);
  if (data instanceof StreamedData) return sendStreamed(context, reply, data, meta);
  return reply.send(
    pagination === undefined ? { success: true, data, meta } : { success: true, data, pagination, meta },
  );
}

function sendRendered(
  reply: FastifyReply,
  { json }: RenderedData,
  pagination: Pagination | undefined,
  meta: Meta,
): FastifyReply {
  reply.header("content-type", "application/json; charset=utf-8");
  const paging = pagination === undefined ? "" : `,"pagination":${JSON.stringify(pagination)}`;
  return reply.send(`{"success":true,"data":${json}${paging},"meta":${JSON.stringify(meta)}}`);
}

function sendStreamed(
  context: GatewayContext,
  reply: FastifyReply,
  { chunks }: StreamedData,
  meta: Meta,
): FastifyReply {
  watchReader(context, reply);
  reply.header("content-type", "application/json; charset=utf-8");
  return reply.send(Readable.from(inWrites(enveloped(chunks, meta)), { objectMode: false }));
}

async function* enveloped(chunks: AsyncIterable<string>, meta: Meta): AsyncGenerator<string> {
  yield '{"success":true,"data":';
  yield* chunks;
  yield `,"meta":${JSON.stringify(meta)}}`;
}

/** A write with an idempotency key has the time that is stored with the key. */
function whenAnswered({ request }: FastifyReply): Date | undefined {
  return request.idempotency?.answeredAt && timestampDate(request.idempotency.answeredAt);
}

function firstAnswer(reply: FastifyReply): Meta | undefined {
  const { replay } = reply.request;
  if (!replay?.answeredAt) return undefined;
  reply.header("x-request-id", replay.requestId);
  reply.header("idempotent-replayed", "true");
  return metaOf(replay.requestId, timestampDate(replay.answeredAt));
}
