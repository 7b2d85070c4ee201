import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { IdempotencySchema, type Idempotency } from "@canvass/proto/rpc";
import { hash } from "node:crypto";

/** Hashes the body as the gateway does for a request with an idempotency key. */
export function idempotency(
  key: string,
  body: unknown,
  { requestId = "request1", answeredAt = new Date() }: { requestId?: string; answeredAt?: Date } = {},
): Idempotency {
  return create(IdempotencySchema, {
    key,
    scope: "token1 POST /x",
    bodySha256: hash("sha256", JSON.stringify(body), "buffer"),
    requestId,
    answeredAt: timestampFromDate(answeredAt),
  });
}
