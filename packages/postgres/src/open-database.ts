import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { openPool, type OpenPoolOptions } from "./open-pool.ts";
import { sqlFromPg } from "./sql.ts";
import type { Sql } from "./sql.ts";
import { createStatementNamer } from "./statement-name.ts";

export interface DisconnectablePrisma {
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
}

export interface OpenDatabaseOptions<Prisma extends DisconnectablePrisma> extends OpenPoolOptions {
  /** Creates the service's generated client: `(adapter) => new PrismaClient({ adapter })`. */
  createPrisma: (adapter: PrismaPg) => Prisma;
}

export interface Database<Prisma> extends AsyncDisposable {
  prisma: Prisma;
  pool: Pool;
  sql: Sql;
  /** The same database for latency-critical statements by key: each connection caches one plan per statement. */
  hot: HotDatabase;
}

export interface HotDatabase {
  pool: Pool;
  sql: Sql;
}

const hotShare = 0.4;

/** Opens a main pool, for Prisma and SQL, and one with cached plans. Does not throw while the database is down. */
export function openDatabase<Prisma extends DisconnectablePrisma>(
  options: OpenDatabaseOptions<Prisma>,
): Database<Prisma> {
  const hotSize = Math.max(1, Math.floor(options.poolSize * hotShare));
  const { pool, ...opened } = openPool({ ...options, poolSize: Math.max(1, options.poolSize - hotSize) });
  const hot = openPool({ ...options, poolSize: hotSize, plans: "kept" });
  const statementName = createStatementNamer(300);
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) });
  const prisma = options.createPrisma(adapter);
  // Loads the query compiler now rather than in the first request. Connecting still waits for first use.
  prisma.$connect().catch(() => undefined);
  return {
    prisma,
    pool,
    sql: sqlFromPg(pool),
    hot: { pool: hot.pool, sql: sqlFromPg(hot.pool) },
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      // Prisma's adapter does not close a pool that it was given.
      await Promise.all([opened, hot].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
