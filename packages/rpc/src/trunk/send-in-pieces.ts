import type { ServerHttp2Stream } from "node:http2";
import { once } from "node:events";
import type { UnreadResponses } from "../unread-responses.ts";
import { frameKinds, frameOf, pieceBytes, type Metadata } from "./frames.ts";

/** Sends an answer. A large one leaves in pieces, as the client reads them, and others go between them. */
export async function sendInPieces(
  stream: ServerHttp2Stream,
  call: number,
  message: Uint8Array,
  head: Metadata | undefined,
  unread: UnreadResponses,
  wanted: () => boolean,
): Promise<void> {
  const release = unread.hold(message.length);
  try {
    let at = 0;
    for (; message.length - at > pieceBytes; at += pieceBytes) {
      if (!stream.write(frameOf(call, frameKinds.piece, undefined, message.subarray(at, at + pieceBytes)))) {
        await drained(stream);
      }
      if (!wanted()) return;
    }
    stream.write(frameOf(call, frameKinds.answer, head, message.subarray(at)));
  } finally {
    release();
  }
}

async function drained(stream: ServerHttp2Stream): Promise<void> {
  const left = new AbortController();
  const closed = () => left.abort();
  stream.once("close", closed);
  try {
    // Not before all that waits is sent, so that small answers do not queue behind many large ones.
    await once(stream, "drain", { signal: left.signal });
  } catch {
    // The stream is closed, so nothing is wanted any more.
  } finally {
    stream.off("close", closed);
  }
}
