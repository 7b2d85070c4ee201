import { constants, Http2ServerRequest, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { BodyBudget } from "./body-budget.ts";

/**
 * A class of requests. Resets a request whose body takes longer than `mostMs`, or whose next bytes exceed the capacity
 * of `bodies`. Streamed bodies are not limited.
 */
export function boundedRequest(
  bodies: BodyBudget,
  mostMs: number,
  isStreamed: (path: string) => boolean,
): typeof Http2ServerRequest {
  return class BoundedRequest extends Http2ServerRequest {
    readonly #body = bodies.begin();
    readonly #isStreamed: boolean;
    #late: NodeJS.Timeout | undefined;

    constructor(...given: [ServerHttp2Stream, IncomingHttpHeaders, object, readonly string[]]) {
      super(...(given as ConstructorParameters<typeof Http2ServerRequest>));
      this.#isStreamed = isStreamed(String(given[1][":path"]));
      // Flow control bounds the bytes of a streamed body, and its handler the time.
      if (this.#isStreamed) return;
      this.#late = setTimeout(() => this.stream.close(constants.NGHTTP2_CANCEL), mostMs).unref();
      this.stream.once("close", () => this.#end());
    }

    override push(chunk: Buffer | null): boolean {
      if (chunk === null) this.#end();
      else if (!this.#isStreamed && !this.#body.receive(chunk.length)) {
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
