import { startService, type RunningService, type ServiceOverrides, type Shell } from "@canvass/service";
import { PrismaClient, type Prisma } from "../gen/prisma/client.ts";
import type { DistributionConfig } from "./config.ts";

export type DistributionContext = Shell<PrismaClient, Prisma.TransactionClient>;

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
