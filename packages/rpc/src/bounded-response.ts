import { Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import type { UnreadResponses } from "./unread-responses.ts";

/** A class of responses that counts its unsent bytes in `unread`. */
export function boundedResponse(unread: UnreadResponses): new (stream: ServerHttp2Stream) => Http2ServerResponse {
  return class BoundedResponse extends Http2ServerResponse {
    override write(chunk: string | Uint8Array, ...rest: never[]): boolean {
      const release = unread.reserve(this.stream, chunk.length);
      const [encoding, done] = rest as unknown as [BufferEncoding, ((error?: Error | null) => void) | undefined];
      const written = (error?: Error | null) => {
        release();
        done?.(error);
      };
      return super.write(chunk, encoding, written);
    }
  };
}
