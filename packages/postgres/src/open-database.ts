import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import { openPool, type OpenPoolOptions } from "./open-pool.ts";
import { sqlFromPg } from "./sql.ts";
import type { Sql } from "./sql.ts";
import { createStatementNamer } from "./statement-name.ts";

/** What this package needs of a generated Prisma client. */
export interface DisconnectablePrisma {
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
}

export interface OpenDatabaseOptions<Prisma extends DisconnectablePrisma> extends OpenPoolOptions {
  /** Makes the service's generated client: `(adapter) => new PrismaClient({ adapter })`. */
  createPrisma: (adapter: PrismaPg) => Prisma;
}

export interface Database<Prisma> extends AsyncDisposable {
  prisma: Prisma;
  pool: Pool;
  /** Single statements on the pool, outside any transaction. */
  sql: Sql;
  /** The same database for statements by keys that requests wait for: each is planned once for each connection. */
  hot: HotDatabase;
}

export interface HotDatabase {
  pool: Pool;
  sql: Sql;
}

/** Of the pool's connections, those with kept plans; at least one of each kind. */
const hotShare = 0.4;

/**
 * Opens a connection pool for Prisma and plain SQL, and one with kept plans. Connects on first use, so it does not throw while the
 * database is away. Every session runs in UTC. Disposing waits for queries under way and closes the pools.
 */
export function openDatabase<Prisma extends DisconnectablePrisma>(
  options: OpenDatabaseOptions<Prisma>,
): Database<Prisma> {
  const hotSize = Math.max(1, Math.floor(options.poolSize * hotShare));
  const { pool, ...opened } = openPool({ ...options, poolSize: Math.max(1, options.poolSize - hotSize) });
  const hot = openPool({ ...options, poolSize: hotSize, plans: "kept" });
  const statementName = createStatementNamer(300);
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) });
  const prisma = options.createPrisma(adapter);
  // Loads its query compiler now, not in somebody's first request; it connects on first use all the same.
  prisma.$connect().catch(() => undefined);
  return {
    prisma,
    pool,
    sql: sqlFromPg(pool),
    hot: { pool: hot.pool, sql: sqlFromPg(hot.pool) },
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      // Prisma's adapter leaves a pool that was given to it open.
      await Promise.all([opened, hot].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
