import { retryOnConflict, sqlFromPrisma, type Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import type { Prisma } from "../gen/prisma/client.ts";
import type { TokenContext } from "./context.ts";

/** Two views on one transaction, and what is to be told once it is committed. */
export interface WriteTransaction {
  prisma: Prisma.TransactionClient;
  sql: Sql;
  /** Told to whoever listens, after the commit; best effort. */
  announceAfterCommit(event: Event): void;
}

/** Longer than the pool's and the statements' own, whose errors say that the database is at fault. */
const timeouts = { maxWait: 10_000, timeout: 20_000 };

/** Runs `work` in one transaction, once more if it lost against another, and announces after the commit. */
export async function writeTransaction<Result>(
  { database, writeGate, committed }: TokenContext,
  work: (transaction: WriteTransaction) => Promise<Result>,
): Promise<Result> {
  let events: Event[] = [];
  const attempt = () => {
    events = [];
    return database.prisma.$transaction(
      (prisma) => work({ prisma, sql: sqlFromPrisma(prisma), announceAfterCommit: (event) => events.push(event) }),
      timeouts,
    );
  };
  const result = await writeGate(() => retryOnConflict(attempt));
  if (events.length > 0) committed(events);
  return result;
}
