import type { CallOptions } from "@connectrpc/connect";
import type { FastifyReply } from "fastify";
import type { TSchema } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { errorResponse } from "../errors/error-response.ts";
import { RenderedData } from "./envelope.ts";
import { openStream } from "./open-stream.ts";
import { sendPieces } from "./send-pieces.ts";
import { varyByType } from "./wanted-type.ts";

export const rowsType = "application/x-ndjson";

const rowsAbout =
  "One JSON object a line, without envelope. When the stream fails after its first line, the last line is an error " +
  "envelope (`success: false`) and the connection is cut.";

export const rowsResponse = (description: string, row: TSchema) => ({
  200: {
    description: `${description}. ${rowsAbout}`,
    content: { [rowsType]: { schema: row } },
  },
});

export const listOrRowsResponse = (list: TSchema & { description?: string }, row: TSchema) => ({
  200: {
    description: `${list.description}, or all as rows. ${rowsAbout}`,
    content: { "application/json": { schema: list }, [rowsType]: { schema: row } },
  },
});

export interface Rows<Piece> {
  open: (options: CallOptions) => AsyncIterable<Piece>;
  /** Returns the rows of a chunk as callers see them. Rows have no `success`, which marks an error envelope. */
  view: (piece: Piece) => readonly (object | RenderedData)[];
}

/** Sends a service's stream as NDJSON (contract 1.9). Throws any error of the stream before its first chunk. */
export async function respondWithRows<Piece>(
  context: GatewayContext,
  reply: FastifyReply,
  { open, view }: Rows<Piece>,
): Promise<void> {
  using stream = await openStream(context, reply, open);
  reply.header("content-type", rowsType);
  varyByType(reply);
  await sendPieces(context, reply, {
    pieces: reply.request.method === "HEAD" ? none() : lines(stream.pieces, view),
    signal: stream.signal,
    lastPiece: (error) => `${JSON.stringify(errorResponse(error, reply.request.id, context.now()))}\n`,
  });
}

async function* lines<Piece>(pieces: AsyncIterable<Piece>, view: Rows<Piece>["view"]): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const text = view(piece).map((row) => `${row instanceof RenderedData ? row.json : JSON.stringify(row)}\n`);
    if (text.length > 0) yield text.join("");
  }
}

async function* none(): AsyncGenerator<string> {}
