import { openDatabase, recogniseDatabaseError, startIdempotencyPurge } from "@canvass/postgres";
import { idempotencyService } from "@canvass/postgres/rpc";
import { IdempotencyService } from "@canvass/proto/rpc";
import { startRpcHost } from "@canvass/rpc";
import { createLogger, createMetrics, type Logger } from "@canvass/telemetry";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { DistributionConfig } from "./config.ts";

export interface DistributionOverrides {
  log?: Logger;
  now?: () => Date;
}

export interface RunningDistributionService extends AsyncDisposable {
  url: string;
  opsUrl: string;
}

/**
 * Composition root. The service has its process, its database and its health; links and contacts move in with their
 * own RPCs.
 */
export async function startDistributionService(
  config: DistributionConfig,
  { log = createLogger({ service: "distribution" }), now = () => new Date() }: DistributionOverrides = {},
): Promise<RunningDistributionService> {
  await using starting = new AsyncDisposableStack();
  const db = starting.use(
    openDatabase({
      url: config.DATABASE_URL,
      poolSize: config.CANVASS_DATABASE_POOL,
      applicationName: "canvass-distribution",
      createPrisma: (adapter) => new PrismaClient({ adapter }),
      onConnectionLost: (error) => log.warn({ err: error }, "a database connection was lost"),
    }),
  );
  starting.use(startIdempotencyPurge({ sql: db.sql, now, onFailure: (err) => log.warn({ err }, "the purge failed") }));
  const host = starting.use(
    await startRpcHost({
      config,
      now,
      log,
      metrics: createMetrics("distribution"),
      checks: { database: async () => (await db.sql.query("SELECT 1 AS alive")).length === 1 },
      recogniseError: recogniseDatabaseError,
      routes: (router) => {
        router.service(IdempotencyService, idempotencyService(db.sql, now));
      },
    }),
  );
  const running = starting.move();
  return { url: host.url, opsUrl: host.opsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
