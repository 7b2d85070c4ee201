import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { sqlFromPg } from "./sql.ts";
import type { Sql } from "./sql.ts";
import { createStatementNamer } from "./statement-name.ts";

/** What this package needs of a generated Prisma client. */
export interface DisconnectablePrisma {
  $connect(): Promise<void>;
  $disconnect(): Promise<void>;
}

export interface OpenDatabaseOptions<Prisma extends DisconnectablePrisma> {
  url: string;
  /** Connections at most, shared by Prisma and plain SQL. */
  poolSize: number;
  /** Makes the service's generated client: `(adapter) => new PrismaClient({ adapter })`. */
  createPrisma: (adapter: PrismaPg) => Prisma;
  /** Shown in pg_stat_activity; the service's name. */
  applicationName: string;
  /** Milliseconds after which the server cancels a statement. Default 10,000. */
  statementTimeoutMs?: number;
  /** Milliseconds to wait for a connection, new or from the pool. Default 5,000. */
  connectTimeoutMs?: number;
  /** Told about connections that broke while idle; the pool replaces them. */
  onConnectionLost?: (error: Error) => void;
}

export interface Database<Prisma> extends AsyncDisposable {
  prisma: Prisma;
  pool: Pool;
  /** Single statements on the pool, outside any transaction. */
  sql: Sql;
}

/**
 * Prisma sends dates without a zone, so the session's zone decides what they mean. And a prepared statement is planned
 * anew each time: a plan kept from when a table was small (read it whole) would ruin a table that grows quickly.
 */
const SESSION_SETTINGS = "-c TimeZone=UTC -c plan_cache_mode=force_custom_plan";

/**
 * Opens one connection pool for both Prisma and plain SQL. Connects on first use, so it does not throw while the
 * database is away. Every session runs in UTC. Disposing waits for queries under way and closes the pool.
 */
export function openDatabase<Prisma extends DisconnectablePrisma>(
  options: OpenDatabaseOptions<Prisma>,
): Database<Prisma> {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    idle_in_transaction_session_timeout: 60_000,
    statement_timeout: statementTimeoutMs,
    // For a server that is gone without a word; one that is there answers sooner, by its own time limit.
    query_timeout: statementTimeoutMs + 5000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    // What a burst opened is closed soon after; one connection stays, so that a lone request finds it open.
    idleTimeoutMillis: 10_000,
    min: 1,
    keepAlive: true,
    // Statements of one connection that are asked for together are sent together: one round trip instead of one each.
    pipeline: true,
    options: SESSION_SETTINGS,
  });
  // Without a listener an idle connection that breaks would end the process.
  pool.on("error", (error) => options.onConnectionLost?.(error));
  const statementName = createStatementNamer(300);
  const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) });
  const prisma = options.createPrisma(adapter);
  // Loads its query compiler now, not in somebody's first request; it connects on first use all the same.
  prisma.$connect().catch(() => undefined);
  return {
    prisma,
    pool,
    sql: sqlFromPg(pool),
    async [Symbol.asyncDispose]() {
      await prisma.$disconnect();
      // Prisma's adapter leaves a pool that was given to it open.
      await pool.end();
    },
  };
}
