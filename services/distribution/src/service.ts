import { startService, type RunningService, type ServiceOverrides, type Shell } from "@canvass/service";
import { PrismaClient, type Prisma } from "../gen/prisma/client.ts";
import type { DistributionConfig } from "./config.ts";

/** What every RPC of this service works with. */
export type DistributionContext = Shell<PrismaClient, Prisma.TransactionClient>;

/** The service has its process, its database and its health; links and contacts move in with their own RPCs. */
export function startDistributionService(
  config: DistributionConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> {
  return startService({
    name: "distribution",
    config,
    overrides,
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: DistributionContext) => shell,
    consumers: {},
    routes: () => {},
  });
}
