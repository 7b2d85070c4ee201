import { publishNotice, appendEvents, isNotice, type Bus, type Outbox } from "@canvass/events";
import { retryOnConflict, sqlFromPrisma, type Database, type PrismaRaw, type Sql } from "@canvass/postgres";
import type { Event } from "@canvass/proto/events";
import pLimit from "p-limit";

/** A generated Prisma client, as far as transactions go; `Client` is what it hands to an interactive one. */
export interface TransactionalPrisma<Client> {
  $transaction<Result>(
    work: (client: Client) => Promise<Result>,
    options?: { maxWait?: number; timeout?: number },
  ): Promise<Result>;
}

/** One transaction: Prisma for ordinary rows, SQL for statements over many, and the events it publishes. */
export interface Transaction<Client> {
  prisma: Client;
  sql: Sql;
  /** Appends events to the outbox in this transaction; notices go out after the commit. */
  publish: (...events: Event[]) => Promise<void>;
}

/**
 * Runs `work` in one transaction, once more when it lost against another, and wakes the outbox after the commit. Errors
 * are those of `work` and of the database.
 */
export type Write<Client> = <Result>(work: (transaction: Transaction<Client>) => Promise<Result>) => Promise<Result>;

/** Runs work, a bounded number at a time, in the order it came. */
export type WriteGate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Connections that writes leave to reads, authentication and the outbox. */
const reservedConnections = 3;

/**
 * Writes wait for each other's row locks and hold a connection meanwhile. Bounding them below the size of the pool
 * keeps connections free for reads, so that one workspace's writes can not keep everybody else out.
 */
export function createWriteGate(poolSize: number): WriteGate {
  return pLimit(Math.max(poolSize - reservedConnections, 1));
}

/** Longer than the pool's and the statements' own limits, whose errors say that the database is at fault. */
const timeouts = { maxWait: 10_000, timeout: 20_000 };

/** Makes the write function of a service. */
export function createWrite<Client extends PrismaRaw>(
  database: Database<TransactionalPrisma<Client>>,
  writeGate: WriteGate,
  outbox: Pick<Outbox, "nudge">,
  bus: Bus,
): Write<Client> {
  return async (work) => {
    let published: Event[] = [];
    const attempt = () => {
      published = [];
      return database.prisma.$transaction((prisma) => {
        const sql = sqlFromPrisma(prisma);
        const publish = async (...events: Event[]): Promise<void> => {
          published.push(...events);
          await appendEvents(sql, events);
        };
        return work({ prisma, sql, publish });
      }, timeouts);
    };
    const result = await writeGate(() => retryOnConflict(attempt));
    if (published.length > 0) outbox.nudge();
    for (const event of published) if (isNotice(event)) publishNotice(bus, event);
    return result;
  };
}
