import { openDatabase, type Database } from "@canvass/postgres";
import type { Logger } from "@canvass/telemetry";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { SurveyConfig } from "./config.ts";

/** Opens the service's database; connects on first use. */
export function openSurveyDatabase(config: SurveyConfig, log: Logger): Database<PrismaClient> {
  return openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.CANVASS_DATABASE_POOL,
    applicationName: "canvass-survey",
    // Writers of one survey queue for its row, so a transaction may have to wait for a connection, and then for them.
    createPrisma: (adapter) => new PrismaClient({ adapter, transactionOptions: { maxWait: 5000, timeout: 15_000 } }),
    onConnectionLost: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
}
