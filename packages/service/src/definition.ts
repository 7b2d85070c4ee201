import type { StoreEvents } from "@canvass/events";
import type { DisconnectablePrisma, OpenDatabaseOptions, PrismaRaw, Sql } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";
import type { ConnectRouter } from "@connectrpc/connect";
import type { ShellConfig } from "./environment.ts";
import type { Shell } from "./shell.ts";
import type { WorkspaceTransfer } from "./transfer/workspace-transfer.ts";
import type { TransactionalPrisma } from "./write.ts";

/** For tests. */
export interface ServiceOverrides {
  now?: () => Date;
  log?: Logger;
  /** Milliseconds between purges. Default one minute. */
  purgeMs?: number;
}

/** See StoreEvents. */
export type Consume<Context> = (context: Context, ...events: Parameters<StoreEvents>) => ReturnType<StoreEvents>;

export interface Purge {
  /** For the log, e.g. "expired idempotency records". */
  rows: string;
  keepMs: number;
  /** Deletes up to `limit` rows finished before `before` and returns their number. */
  purge: (sql: Sql, before: Date, limit: number) => Promise<number>;
}

/** Of times that a clock wrote which was ahead and was set back. */
export interface ClockRepair {
  /** For the log, e.g. "due times of jobs". */
  rows: string;
  repair: (sql: Sql, now: Date) => Promise<void>;
}

export interface ServiceDefinition<
  Client extends PrismaRaw,
  Prisma extends DisconnectablePrisma & TransactionalPrisma<Client>,
  Context,
> {
  /** In the event catalogue. */
  name: string;
  /** Of its package. */
  version: string;
  /** Includes the addresses of consuming services (`consumerEnvironment`). */
  config: ShellConfig;
  overrides: ServiceOverrides;
  createPrisma: OpenDatabaseOptions<Prisma>["createPrisma"];
  /** Adds the service's own parts to the shell and starts its background work. */
  createContext: (shell: Shell<Prisma, Client>) => Context;
  /** By consumer name in the event catalogue. */
  consumers: Readonly<Record<string, Consume<Context>>>;
  /** False for a service without writes by callers, which has no idempotency table. Default true. */
  keepsIdempotencyRecords?: boolean;
  /** PEM files of authorities that it trusts beside those of other processes, by the kind that metrics name. */
  authorities?: Readonly<Record<string, string | undefined>>;
  /** Beside the housekeeping tables. */
  purges?: readonly Purge[];
  /** Beside the housekeeping tables. */
  clockRepairs?: readonly ClockRepair[];
  routes: (router: ConnectRouter, context: Context) => void;
  /** What goes along when a workspace moves to another installation. */
  transfer: (context: Context) => WorkspaceTransfer;
  /** Awaited before the RPC server starts; throws what must keep the service from starting. */
  begin?: (context: Context) => Promise<void>;
}
