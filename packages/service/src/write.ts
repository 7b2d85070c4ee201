import { publishNotice, appendEvents, type Bus, type Outbox } from "@canvass/events";
import { retryOnConflict, sqlFromPrisma, type Database, type PrismaRaw, type Sql } from "@canvass/postgres";
import { isNotice } from "@canvass/processes/event-catalogue";
import type { Event } from "@canvass/proto/events";
import { inSpan } from "@canvass/telemetry";

export interface TransactionalPrisma<Client> {
  $transaction<Result>(
    work: (client: Client) => Promise<Result>,
    options?: { maxWait?: number; timeout?: number },
  ): Promise<Result>;
}

/** One transaction: Prisma for single rows, SQL for many rows, and events. */
export interface Transaction<Client> {
  prisma: Client;
  sql: Sql;
  /** Adds events to the outbox in this transaction. Notices are sent after the commit. */
  publish: (...events: Event[]) => Promise<void>;
}

/** Runs `work` in a transaction, retries it once after a conflict, and publishes its events after the commit. */
export type Write<Client> = <Result>(
  work: (transaction: Transaction<Client>) => Promise<Result>,
  call?: { readonly traceparent: string | undefined },
) => Promise<Result>;

export type LimitWrites = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The span of a transaction. It includes the wait for a connection. */
export const TRANSACTION_SPAN = ["client", "transaction", { "db.system.name": "postgresql" }] as const;

/** Longer than the timeouts of pool and statements, so that those end first: their errors name the database. */
const timeouts = { maxWait: 10_000, timeout: 20_000 };

export function createWrite<Client extends PrismaRaw>(
  database: Database<TransactionalPrisma<Client>>,
  limitWrites: LimitWrites,
  outbox: Pick<Outbox, "publish">,
  bus: Bus,
): Write<Client> {
  return async (work, call) => {
    let published: Event[] = [];
    const attempt = (traceparent: string | undefined) => {
      published = [];
      return database.prisma.$transaction((prisma) => {
        const sql = sqlFromPrisma(prisma);
        const publish = async (...events: Event[]): Promise<void> => {
          for (const event of events) event.traceparent ||= traceparent ?? "";
          published.push(...events);
          await appendEvents(sql, events);
        };
        return work({ prisma, sql, publish });
      }, timeouts);
    };
    const result = await inSpan(call?.traceparent, TRANSACTION_SPAN, (traceparent) =>
      limitWrites(() => retryOnConflict(() => attempt(traceparent))),
    );
    if (published.length > 0) outbox.publish(published);
    for (const event of published) if (isNotice(event)) publishNotice(bus, event);
    return result;
  };
}
