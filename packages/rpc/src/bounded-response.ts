import { Code, ConnectError } from "@connectrpc/connect";
import { constants, Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import { largeAnswerBytes } from "./message-limits.ts";

/**
 * A class of responses that share a bound on unsent bytes of large messages. Beyond it a response is reset
 * (`ENHANCE_YOUR_CALM`, for gRPC `RESOURCE_EXHAUSTED`); small messages always go out.
 */
export function boundedResponse(mostBytes: number): new (stream: ServerHttp2Stream) => Http2ServerResponse {
  let unread = 0;
  return class BoundedResponse extends Http2ServerResponse {
    override write(chunk: string | Uint8Array, ...rest: never[]): boolean {
      if (chunk.length < largeAnswerBytes) return super.write(chunk, ...rest);
      const release = this.#reserve(chunk.length);
      const [encoding, done] = rest as unknown as [BufferEncoding, ((error?: Error | null) => void) | undefined];
      const written = (error?: Error | null) => {
        release();
        done?.(error);
      };
      return super.write(chunk, encoding, written);
    }

    /** Until the bytes are sent or their stream ends. */
    #reserve(bytes: number): () => void {
      const { stream } = this;
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
    }
  };
}
