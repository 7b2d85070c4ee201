import { Code, ConnectError } from "@connectrpc/connect";
import { constants, type ServerHttp2Stream } from "node:http2";
import { largeAnswerBytes } from "./message-limits.ts";

export interface UnreadAnswers {
  /**
   * Counts bytes until the returned function is called, or their stream ends. Small answers are not counted. Beyond the
   * bound it resets the stream (`ENHANCE_YOUR_CALM`, for gRPC `RESOURCE_EXHAUSTED`) and throws.
   */
  reserve(stream: ServerHttp2Stream, bytes: number): () => void;
}

const nothing = () => undefined;

/** Bounds the unsent bytes of a server's large answers. */
export function createUnreadAnswers(mostBytes: number): UnreadAnswers {
  let unread = 0;
  return {
    reserve(stream, bytes) {
      if (bytes < largeAnswerBytes) return nothing;
      if (unread + bytes > mostBytes) {
        stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
        // The one code that ends Connect's handler silently.
        throw new ConnectError("large answers wait to be read", Code.Aborted);
      }
      unread += bytes;
      let held = bytes;
      const release = () => {
        unread -= held;
        held = 0;
        stream.off("close", release);
      };
      stream.once("close", release);
      return release;
    },
  };
}
