import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { idempotencyKeyPattern, type Fault } from "@canvass/inputs";
import { IdempotencySchema, type Idempotency } from "@canvass/proto/rpc";
import type { FastifyRequest } from "fastify";
import { createHash } from "node:crypto";

const keyShape = new RegExp(idempotencyKeyPattern);
const noBytes = Buffer.alloc(0);

/**
 * Reads `Idempotency-Key` (contract 3.4): the scope is token, method and path; a repetition must equal the inflated
 * body; request id and time are those of the first answer. Undefined without a key; a fault for a malformed one.
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

/** The decoded path, so that a repetition with other escapes finds the same key. */
function plainPath({ routeOptions, params }: FastifyRequest): string {
  const values = params as Record<string, string>;
  return routeOptions.url!.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name]!));
}
