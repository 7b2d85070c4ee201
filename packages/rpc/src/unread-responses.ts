import { Code, ConnectError } from "@connectrpc/connect";
import { constants, type ServerHttp2Stream } from "node:http2";
import { largeBodyBytes } from "./message-limits.ts";

export interface UnreadResponses {
  /** Counts bytes until the returned function is called. Ignores small responses. Throws beyond the limit. */
  hold(bytes: number): () => void;
  /** The same until the stream ends. Beyond the limit, resets it (`ENHANCE_YOUR_CALM`, gRPC `RESOURCE_EXHAUSTED`). */
  reserve(stream: ServerHttp2Stream, bytes: number): () => void;
}

const nothing = () => undefined;

/** Limits the unsent bytes of a server's large responses. */
export function createUnreadResponses(mostBytes: number): UnreadResponses {
  let unread = 0;
  const fits = (bytes: number) => unread + bytes <= mostBytes;
  function hold(bytes: number): () => void {
    if (bytes < largeBodyBytes) return nothing;
    if (!fits(bytes)) throw new ConnectError("large answers wait to be read", Code.ResourceExhausted);
    unread += bytes;
    let held = bytes;
    return () => {
      unread -= held;
      held = 0;
    };
  }
  return {
    hold,
    reserve(stream, bytes) {
      if (bytes < largeBodyBytes) return nothing;
      if (!fits(bytes)) {
        stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
        // The only code that ends Connect's handler silently.
        throw new ConnectError("large answers wait to be read", Code.Aborted);
      }
      const giveBack = hold(bytes);
      const release = () => {
        giveBack();
        stream.off("close", release);
      };
      stream.once("close", release);
      return release;
    },
  };
}
