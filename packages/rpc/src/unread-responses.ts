import { Code, ConnectError } from "@connectrpc/connect";
import { constants, type ServerHttp2Stream } from "node:http2";
import { largeBodyBytes } from "./message-limits.ts";

export interface UnreadResponses {
  /**
   * Counts bytes until the returned function is called or the stream ends. Ignores small responses. Beyond the limit,
   * resets the stream (`ENHANCE_YOUR_CALM`, gRPC `RESOURCE_EXHAUSTED`) and throws.
   */
  reserve(stream: ServerHttp2Stream, bytes: number): () => void;
}

const nothing = () => undefined;

/** Limits the unsent bytes of a server's large responses. */
export function createUnreadResponses(mostBytes: number): UnreadResponses {
  let unread = 0;
  return {
    reserve(stream, bytes) {
      if (bytes < largeBodyBytes) return nothing;
      if (unread + bytes > mostBytes) {
        stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
        // The only code that ends Connect's handler silently.
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
