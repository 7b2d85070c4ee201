import type { KeyedSemaphore } from "@canvass/fairness";
import { decode } from "./body-coding.ts";
import type { FastifyInstance } from "fastify";
import { requireHeadings, textCharset } from "./charset.ts";
import { acceptLargeBodies } from "./accept-large-bodies.ts";

export const csvType = "text/csv";

/** Lets the routes of `scope` accept CSV files besides JSON. The route's `body` is then the inflated file. */
export function acceptCsvBodies(scope: FastifyInstance, permits: KeyedSemaphore, mostBytes: number): void {
  acceptLargeBodies(scope, permits);
  scope.addContentTypeParser<Buffer>(csvType, { parseAs: "buffer", bodyLimit: mostBytes }, (request, sent, done) => {
    try {
      const bytes = decode(sent, request.headers["content-encoding"], mostBytes);
      request.bodyBytes = bytes;
      request.bodyCharset = textCharset(request.headers["content-type"]);
      requireHeadings(request.headers["content-type"]);
      done(null, bytes.length === 0 ? undefined : bytes);
    } catch (error) {
      done(error as Error);
    }
  });
}
