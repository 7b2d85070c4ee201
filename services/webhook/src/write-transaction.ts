import { appendEvents } from "@canvass/events";
import { retryOnConflict, sqlFromPrisma, type Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { Prisma } from "../gen/prisma/client.ts";
import type { WebhookContext } from "./context.ts";

/** Two views on one transaction, and what it says to other services. */
export interface WriteTransaction {
  prisma: Prisma.TransactionClient;
  sql: Sql;
  /** Appends to the outbox, in this transaction. */
  say: (...events: Event[]) => Promise<void>;
}

/** Runs `work` in one transaction, once more if it lost against another, and wakes the outbox after the commit. */
export async function writeTransaction<Result>(
  { database, nudgeOutbox }: WebhookContext,
  work: (transaction: WriteTransaction) => Promise<Result>,
): Promise<Result> {
  const result = await retryOnConflict(() =>
    database.prisma.$transaction(
      (prisma) => {
        const sql = sqlFromPrisma(prisma);
        return work({ prisma, sql, say: (...events) => appendEvents(sql, events) });
      },
      // Creates of one workspace wait for each other.
      { maxWait: 5000, timeout: 10_000 },
    ),
  );
  nudgeOutbox();
  return result;
}
