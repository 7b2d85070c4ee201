import type { StoreEvents } from "@canvass/events";
import type { DisconnectablePrisma, OpenDatabaseOptions, PrismaRaw, Sql } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Pool } from "pg";
import type { ShellConfig } from "./environment.ts";
import type { Shell } from "./shell.ts";
import type { WorkspaceTransfer } from "./transfer/workspace-transfer.ts";
import type { TransactionalPrisma } from "./write.ts";

export interface ServiceOverrides {
  now?: () => Date;
  log?: Logger;
  /** Milliseconds between purges. Default one minute. */
  purgeMs?: number;
}

export type Consume<Context> = (context: Context, ...events: Parameters<StoreEvents>) => ReturnType<StoreEvents>;

export interface Purge {
  rows: string;
  keepMs: number;
  /** Deletes rows finished before `before`, about `limit` of them; returns how many. The next call continues. */
  purge: (sql: Sql, before: Date, limit: number) => Promise<number>;
}

export interface ClockRepair {
  rows: string;
  /** `pool` is for repairs that need a transaction. */
  repair: (sql: Sql, now: Date, pool: Pool) => Promise<void>;
}

export interface ServiceDefinition<
  Client extends PrismaRaw,
  Prisma extends DisconnectablePrisma & TransactionalPrisma<Client>,
  Context,
> {
  name: string;
  version: string;
  /** Includes the addresses of consuming services (`consumerEnvironment`). */
  config: ShellConfig;
  overrides: ServiceOverrides;
  createPrisma: OpenDatabaseOptions<Prisma>["createPrisma"];
  createContext: (shell: Shell<Prisma, Client>) => Context;
  /** By consumer name in the event catalogue. */
  consumers: Readonly<Record<string, Consume<Context>>>;
  /** False if the service has no writes by callers and so no idempotency table. Default true. */
  keepsIdempotencyRecords?: boolean;
  /** PEM files of additional trusted authorities, by their label in metrics. */
  authorities?: Readonly<Record<string, string | undefined>>;
  purges?: readonly Purge[];
  clockRepairs?: readonly ClockRepair[];
  routes: (router: ConnectRouter, context: Context) => void;
  transfer: (context: Context) => WorkspaceTransfer;
  /** Awaited before the RPC server starts. Throws if the service must not start. */
  begin?: (context: Context) => Promise<void>;
}
