import type { StoreEvents } from "@canvass/events";
import type { DisconnectablePrisma, OpenDatabaseOptions, PrismaRaw, Sql } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ShellConfig } from "./environment.ts";
import type { Shell } from "./shell.ts";
import type { TransactionalPrisma } from "./write.ts";

/** What tests replace. */
export interface ServiceOverrides {
  now?: () => Date;
  log?: Logger;
  /** Milliseconds between looks for rows past their retention. Default one minute. */
  purgeMs?: number;
}

/** Stores the effect of events of one consumer; see StoreEvents. */
export type Consume<Context> = (context: Context, ...events: Parameters<StoreEvents>) => ReturnType<StoreEvents>;

/** Rows that are deleted some time after they are of no more use. */
export interface Purge {
  /** For the log: "expired idempotency records". */
  rows: string;
  keepMs: number;
  /** Deletes at most `limit` rows that were done with before `before`; resolves with how many there were. */
  purge: (sql: Sql, before: Date, limit: number) => Promise<number>;
}

export interface ServiceDefinition<
  Client extends PrismaRaw,
  Prisma extends DisconnectablePrisma & TransactionalPrisma<Client>,
  Context,
> {
  /** As the event catalogue names it. */
  name: string;
  /** With the addresses of the services that consume its events (`consumerEnvironment`). */
  config: ShellConfig;
  overrides: ServiceOverrides;
  createPrisma: OpenDatabaseOptions<Prisma>["createPrisma"];
  /** Adds to the shell what is the service's own, and starts what runs beside the RPCs. */
  createContext: (shell: Shell<Prisma, Client>) => Context;
  /** By consumer name, as the event catalogue lists them. */
  consumers: Readonly<Record<string, Consume<Context>>>;
  /** False for a service that answers no writes of callers, and so has no table of idempotency records. Default true. */
  keepsIdempotencyRecords?: boolean;
  /** Besides those of the housekeeping tables. */
  purges?: readonly Purge[];
  routes: (router: ConnectRouter, context: Context) => void;
  /** Only the token service has one. */
  operatorKey?: string;
}
