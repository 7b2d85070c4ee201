import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  LookupIdempotencyKeyResponseSchema,
  LookupIdempotencyKeyResponse_State as State,
  ReplaySchema,
  type Idempotency,
  type LookupIdempotencyKeyRequest,
  type LookupIdempotencyKeyResponse,
  type Replay as ReplayMessage,
} from "@canvass/proto/rpc";
import { bind, type Call, type MacBody } from "@canvass/rpc";
import type { IdempotencyKey, Replay } from "../idempotency/idempotency-key.ts";
import { lookupIdempotencyKey } from "../idempotency/run-idempotently.ts";
import type { Sql } from "../sql.ts";

/** The storage key of what a call or a batch item carries. */
export function idempotencyKey(
  macBody: MacBody,
  workspaceId: string,
  { scope, key, bodySha256 }: Pick<Idempotency, "scope" | "key" | "bodySha256">,
): IdempotencyKey {
  return { workspaceId, scope, key, bodySha256, bodyMac: macBody([workspaceId, scope, key], bodySha256) };
}

/** The same of a call. */
export function keyOfCall({ caller, macBody }: Call, idempotency: Idempotency): IdempotencyKey {
  return idempotencyKey(macBody, caller.workspaceId, idempotency);
}

/** Marks an answer as a replay. */
export function replayMessage({ requestId, answeredAt }: Omit<Replay, "state" | "response">): ReplayMessage {
  return create(ReplaySchema, { requestId, answeredAt: timestampFromDate(answeredAt) });
}

const states = { absent: State.ABSENT, replay: State.SAME_BODY, reused: State.OTHER_BODY } as const;

/** Implements `canvass.rpc.v1.IdempotencyService`. */
export function idempotencyService(sql: Sql, now: () => Date) {
  const lookupIdempotencyKeyRpc = async (
    _context: object,
    request: LookupIdempotencyKeyRequest,
    call: Call,
  ): Promise<LookupIdempotencyKeyResponse> => {
    const found = await lookupIdempotencyKey(
      sql,
      idempotencyKey(call.macBody, call.caller.workspaceId, request),
      now(),
    );
    return create(LookupIdempotencyKeyResponseSchema, { state: states[found.state] });
  };
  return { lookupIdempotencyKey: bind({}, lookupIdempotencyKeyRpc) };
}
