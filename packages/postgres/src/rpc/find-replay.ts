import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { AppError } from "@canvass/errors";
import type { Call } from "@canvass/rpc";
import { lookupIdempotencyKey } from "../idempotency/run-idempotently.ts";
import type { Sql } from "../sql.ts";
import { idempotencyKey, replayMessage } from "./idempotency-service.ts";

/**
 * The answer that an earlier call with the same idempotency key got, marked as a replay (`call.replayed`); undefined
 * when there is none. Claims nothing: for a write that asks another service before its transaction, so that a
 * repetition needs nobody. Throws `idempotency_key_reused`.
 */
export async function findReplay<Desc extends DescMessage>(
  sql: Sql,
  call: Call,
  schema: Desc,
  now: Date,
): Promise<MessageShape<Desc> | undefined> {
  const { idempotency } = call;
  if (!idempotency) return undefined;
  const found = await lookupIdempotencyKey(sql, idempotencyKey(call.caller.workspaceId, idempotency), now);
  if (found.state === "reused") throw new AppError("idempotency_key_reused");
  if (found.state === "absent") return undefined;
  call.replayed(replayMessage(found));
  return fromBinary(schema, found.response);
}
