import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { inTransaction, type Sql } from "@canvass/postgres";
import { idempotently } from "@canvass/postgres/rpc";
import type { Call } from "@canvass/rpc";
import { TRANSACTION_SPAN } from "@canvass/service";
import { inSpan } from "@canvass/telemetry";
import type { SurveyContext } from "../context.ts";
import { pushSurvey } from "./collecting-change.ts";

/** Runs `work` once per idempotency key and stores its response in the same transaction. */
export async function write<Desc extends DescMessage>(
  { database, now, outbox }: SurveyContext,
  call: Call,
  schema: Desc,
  work: (sql: Sql) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const answer = await inSpan(call.traceparent, TRANSACTION_SPAN, () =>
    inTransaction(database.pool, (sql) =>
      idempotently(sql, call, schema, now(), async () => create(schema, await work(sql))),
    ),
  );
  outbox.nudge();
  return answer;
}

/** Like `write`, for a change of how a survey collects. Returns, also for a replay, once the change is in effect. */
export async function writeCollecting<Desc extends DescMessage>(
  context: SurveyContext,
  call: Call,
  schema: Desc,
  surveyId: string,
  work: (sql: Sql) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const answer = await write(context, call, schema, work);
  await pushSurvey(context, { workspaceId: call.caller.workspaceId, surveyId });
  return answer;
}
