import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import type { Call } from "@canvass/rpc";
import { lookupIdempotencyKey } from "../idempotency/run-idempotently.ts";
import type { Sql } from "../sql.ts";
import { keyOfCall, replayMessage } from "./idempotency-key.ts";
import { refusalOf } from "./idempotently.ts";

/** Returns a stored response, marked as a replay, so that a retry can skip calls to other services. Claims nothing. */
export async function findReplay<Desc extends DescMessage>(
  sql: Sql,
  call: Call,
  schema: Desc,
  now: Date,
): Promise<MessageShape<Desc> | undefined> {
  const { idempotency } = call;
  if (!idempotency) return undefined;
  const found = await lookupIdempotencyKey(sql, keyOfCall(call, idempotency), now);
  if (found.state === "reused") throw refusalOf(found);
  if (found.state === "absent") return undefined;
  call.replayed(replayMessage(found));
  return fromBinary(schema, found.response);
}
