import type { CallOptions } from "@connectrpc/connect";
import type { FastifyReply } from "fastify";
import type { TSchema } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { errorAnswer } from "../errors/error-answer.ts";
import { RenderedData } from "./envelope.ts";
import { openStream } from "./open-stream.ts";
import { sendPieces } from "./send-pieces.ts";

export const rowsType = "application/x-ndjson";

const rowsAbout =
  "One JSON object a line, without envelope. When the stream fails after its first line, the last line is an error " +
  "envelope (`success: false`) and the connection is cut.";

/** The `response` of a route that answers with `answerRows`. */
export const rowsResponse = (description: string, row: TSchema) => ({
  200: {
    description: `${description}. ${rowsAbout}`,
    content: { [rowsType]: { schema: row } },
  },
});

/** The `response` of a route that answers with a list, or with `answerRows` to callers that prefer it. */
export const listOrRowsResponse = (list: TSchema & { description?: string }, row: TSchema) => ({
  200: {
    description: `${list.description}, or all as rows. ${rowsAbout}`,
    content: { "application/json": { schema: list }, [rowsType]: { schema: row } },
  },
});

export interface Rows<Piece> {
  /** Calls the service's streaming method. */
  open: (options: CallOptions) => AsyncIterable<Piece>;
  /** The rows in one piece, as callers see them. Rows have no `success`. */
  view: (piece: Piece) => readonly (object | RenderedData)[];
}

/** Sends the rows of a service's stream as NDJSON (contract 1.9). Throws the stream's error before its first piece. */
export async function answerRows<Piece>(
  context: GatewayContext,
  reply: FastifyReply,
  { open, view }: Rows<Piece>,
): Promise<void> {
  using stream = await openStream(context, reply, open);
  reply.header("content-type", rowsType);
  await sendPieces(context, reply, {
    pieces: reply.request.method === "HEAD" ? none() : lines(stream.pieces, view),
    signal: stream.signal,
    lastPiece: (error) => `${JSON.stringify(errorAnswer(error, reply.request.id, context.now()))}\n`,
  });
}

async function* lines<Piece>(pieces: AsyncIterable<Piece>, view: Rows<Piece>["view"]): AsyncGenerator<string> {
  for await (const piece of pieces) {
    const text = view(piece).map((row) => `${row instanceof RenderedData ? row.json : JSON.stringify(row)}\n`);
    if (text.length > 0) yield text.join("");
  }
}

async function* none(): AsyncGenerator<string> {}
