import { AppError } from "@canvass/errors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import { decode } from "./body-coding.ts";
import { requireUtf8 } from "./charset.ts";
import { parseJson, textOf } from "./parse-json.ts";

/** The largest body in bytes, both as sent and inflated. */
export const maxBodyBytes = 1_048_576;

/**
 * Parses JSON bodies, and refuses others unless they are empty. Stores the inflated bytes for idempotency and the text
 * for services.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  app.addHook("preParsing", (request, _reply, payload, done) => {
    if (hasBody(request) && !request.routeOptions.config.upload) beginDeadlineAfter(payload, request);
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, bytes, done) => {
    try {
      done(null, readBody(request, bytes));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser("*", refuseUnlessEmpty);
}

/** Reads no further than the first byte, so that large bodies are refused at once. */
async function refuseUnlessEmpty({ headers }: FastifyRequest, payload: IncomingMessage): Promise<undefined> {
  if ((headers["content-length"] ?? "0") !== "0") throw new AppError("unsupported_media_type");
  // Destroying the request would close the connection before the response.
  for await (const _ of payload.iterator({ destroyOnReturn: false })) throw new AppError("unsupported_media_type");
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;

/** Gives the service as much time for a slow sender's request as for others. */
function beginDeadlineAfter(payload: NodeJS.EventEmitter, request: FastifyRequest): void {
  payload.once("end", () => (request.startedAt = performance.now()));
}

function readBody(request: FastifyRequest, sent: Buffer): unknown {
  requireUtf8(request.headers["content-type"]);
  const bytes = decode(sent, request.headers["content-encoding"], maxBodyBytes);
  request.bodyBytes = bytes;
  if (bytes.length === 0) return undefined;
  request.bodyText = textOf(bytes);
  return parseJson(request.bodyText);
}
