import { fromBinary, toBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import type { Idempotency } from "@canvass/proto/rpc";
import type { Call } from "@canvass/rpc";
import { runIdempotently } from "../idempotency/run-idempotently.ts";
import type { InProgress, Reused } from "../idempotency/idempotency-key.ts";
import type { Sql } from "../sql.ts";
import { keyOfCall, replayMessage } from "./idempotency-key.ts";

/** Runs a unary write once per idempotency key, in `sql`'s transaction. Retries get its response (contract 3.5). */
export async function idempotently<Desc extends DescMessage>(
  sql: Sql,
  call: Call,
  schema: Desc,
  now: Date,
  work: () => Promise<MessageShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const { idempotency } = call;
  if (!idempotency) return work();
  const write = {
    key: keyOfCall(call, idempotency),
    requestId: idempotency.requestId,
    now: answerTime(idempotency, now),
  };
  let answer: MessageShape<Desc> | undefined;
  const outcome = await runIdempotently(sql, write, async () => toBinary(schema, (answer = await work())));
  switch (outcome.state) {
    case "executed":
      return answer ?? fromBinary(schema, outcome.response);
    case "replay":
      call.replayed(replayMessage(outcome));
      return fromBinary(schema, outcome.response);
    default:
      throw refusalOf(outcome);
  }
}

export function refusalOf({ state }: Reused | InProgress): AppError {
  return new AppError(state === "reused" ? "idempotency_key_reused" : "idempotency_in_progress");
}

/** Returns the response time that a replay repeats; `now` without a key. */
export function answerTime(idempotency: Pick<Idempotency, "answeredAt"> | undefined, now: Date): Date {
  return idempotency?.answeredAt ? timestampDate(idempotency.answeredAt) : now;
}
