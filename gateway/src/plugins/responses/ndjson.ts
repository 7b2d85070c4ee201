import type { CallOptions } from "@connectrpc/connect";
import type { FastifyReply } from "fastify";
import type { TSchema } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { errorResponse } from "../errors/error-response.ts";
import { RenderedData } from "./envelope.ts";
import { openStream } from "./open-stream.ts";
import { sendChunks } from "./send-chunks.ts";
import { varyByType } from "./wanted-type.ts";

export const ndjsonType = "application/x-ndjson";

const ndjsonAbout =
  "One JSON object per line, without envelope. If the stream fails after its first line, the last line is an error " +
  "envelope (`success: false`) and the connection is closed.";

export const ndjsonResponse = (description: string, row: TSchema) => ({
  200: {
    description: `${description}. ${ndjsonAbout}`,
    content: { [ndjsonType]: { schema: row } },
  },
});

export interface Rows<Chunk> {
  open: (options: CallOptions) => AsyncIterable<Chunk>;
  /** Returns the rows of a chunk as callers see them. Rows have no `success`, which marks an error envelope. */
  view: (chunk: Chunk) => readonly (object | RenderedData)[];
}

/** Sends a service's stream as NDJSON (contract 1.9). Throws any error of the stream before its first chunk. */
export async function respondWithRows<Chunk>(
  context: GatewayContext,
  reply: FastifyReply,
  { open, view }: Rows<Chunk>,
): Promise<void> {
  using stream = await openStream(context, reply, open);
  reply.header("content-type", ndjsonType);
  varyByType(reply);
  await sendChunks(context, reply, {
    chunks: reply.request.method === "HEAD" ? none() : lines(stream.chunks, view),
    signal: stream.signal,
    lastChunk: (error) => `${JSON.stringify(errorResponse(error, reply.request.id, context.now()))}\n`,
  });
}

async function* lines<Chunk>(chunks: AsyncIterable<Chunk>, view: Rows<Chunk>["view"]): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    const text = view(chunk).map((row) => `${row instanceof RenderedData ? row.json : JSON.stringify(row)}\n`);
    if (text.length > 0) yield text.join("");
  }
}

async function* none(): AsyncGenerator<string> {}
