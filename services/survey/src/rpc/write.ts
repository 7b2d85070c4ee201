import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { sqlFromPrisma, type Sql } from "@canvass/postgres";
import { idempotently } from "@canvass/postgres/rpc";
import type { Call } from "@canvass/rpc";
import type { Prisma } from "../../gen/prisma/client.ts";
import type { SurveyContext } from "../context.ts";

/** One transaction, through both doors. */
export interface Transaction {
  prisma: Prisma.TransactionClient;
  sql: Sql;
}

/** Runs a write and records its answer in one transaction, once per idempotency key; then wakes the outbox. */
export async function write<Desc extends DescMessage>(
  { database, now, nudgeOutbox }: SurveyContext,
  call: Call,
  schema: Desc,
  work: (transaction: Transaction) => Promise<MessageInitShape<Desc>>,
): Promise<MessageShape<Desc>> {
  const answer = await database.prisma.$transaction((prisma) => {
    const sql = sqlFromPrisma(prisma);
    return idempotently(sql, call, schema, now(), async () => create(schema, await work({ prisma, sql })));
  });
  nudgeOutbox();
  return answer;
}
