import { constants, Http2ServerRequest, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { RequestBodies } from "./request-bodies.ts";

/** A class of requests whose bodies are bounded together, and each in the time it takes. What exceeds is reset. */
export function boundedRequest(bodies: RequestBodies, mostMs: number): typeof Http2ServerRequest {
  return class BoundedRequest extends Http2ServerRequest {
    readonly #body = bodies.begin();
    readonly #late: NodeJS.Timeout;

    constructor(...given: [ServerHttp2Stream, IncomingHttpHeaders, object, readonly string[]]) {
      super(...(given as ConstructorParameters<typeof Http2ServerRequest>));
      this.#late = setTimeout(() => this.stream.close(constants.NGHTTP2_CANCEL), mostMs).unref();
      this.stream.once("close", () => this.#end());
    }

    override push(chunk: Buffer | null): boolean {
      if (chunk === null) this.#end();
      else if (!this.#body.receive(chunk.length)) {
        this.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
        return false;
      }
      return super.push(chunk);
    }

    #end(): void {
      clearTimeout(this.#late);
      this.#body.end();
    }
  };
}
