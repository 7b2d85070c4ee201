import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Fault } from "@canvass/inputs";
import { IdempotencySchema, type Idempotency } from "@canvass/proto/rpc";
import type { FastifyRequest } from "fastify";
import { createHash } from "node:crypto";

const keyShape = /^[\x21-\x7e]{1,128}$/;
const noBytes = Buffer.alloc(0);

/**
 * What `Idempotency-Key` makes of a request (contract 3.4): token, method and path are the key's scope, the raw
 * bytes of the body what a repetition must equal, request id and time what the first answer shows.
 * Undefined without a key; a fault for one that is none.
 */
export function readIdempotencyKey(request: FastifyRequest, answeredAt: Date): Idempotency | Fault | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !keyShape.test(key)) {
    return { path: "Idempotency-Key", message: "must have 1 to 128 visible ASCII characters" };
  }
  return create(IdempotencySchema, {
    key,
    scope: `${request.identity!.caller.tokenId} ${request.method} ${plainPath(request)}`,
    bodySha256: createHash("sha256")
      .update(request.bodyBytes ?? noBytes)
      .digest(),
    requestId: request.id,
    answeredAt: timestampFromDate(answeredAt),
  });
}

/** The path in its shortest spelling: however it was escaped, a repetition must find the same key. */
function plainPath({ routeOptions, params }: FastifyRequest): string {
  const values = params as Record<string, string>;
  return routeOptions.url!.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name]!));
}
