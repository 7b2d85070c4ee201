import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ReplaySchema, type Idempotency, type Replay as ReplayMessage } from "@canvass/proto/rpc";
import type { Call, MacBody } from "@canvass/rpc";
import type { IdempotencyKey, Replay } from "../idempotency/idempotency-key.ts";

export function idempotencyKey(
  macBody: MacBody,
  workspaceId: string,
  { scope, key, bodySha256 }: Pick<Idempotency, "scope" | "key" | "bodySha256">,
): IdempotencyKey {
  return { workspaceId, scope, key, bodySha256, bodyMac: macBody([workspaceId, scope, key], bodySha256) };
}

export function keyOfCall({ caller, macBody }: Call, idempotency: Idempotency): IdempotencyKey {
  return idempotencyKey(macBody, caller.workspaceId, idempotency);
}

export function replayMessage({ requestId, answeredAt }: Omit<Replay, "state" | "response">): ReplayMessage {
  return create(ReplaySchema, { requestId, answeredAt: timestampFromDate(answeredAt) });
}
