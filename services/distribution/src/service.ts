import { LinkResponseService } from "@canvass/proto/response-links";
import { SurveyService } from "@canvass/proto/survey";
import { createLeaseWaits, startService, type RunningService, type ServiceOverrides } from "@canvass/service";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { DistributionConfig } from "./config.ts";
import type { DistributionContext, DistributionShell } from "./context.ts";

/** Less than a caller's deadline, so that a call that needs another service is refused while there is time to say so. */
const askTimeoutMs = 3_000;

export function startDistributionService(
  config: DistributionConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> {
  const surveyService = { name: "survey", url: config.CANVASS_SURVEY_URL, defaultTimeoutMs: askTimeoutMs };
  const responseService = { name: "response", url: config.CANVASS_RESPONSE_URL, defaultTimeoutMs: askTimeoutMs };
  return startService({
    name: "distribution",
    config,
    overrides,
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: DistributionShell): DistributionContext => ({
      ...shell,
      leaseWaits: createLeaseWaits(),
      surveys: shell.connect(SurveyService, surveyService),
      responses: shell.connect(LinkResponseService, responseService),
    }),
    consumers: {},
    routes,
  });
}

function routes(_router: ConnectRouter, _context: DistributionContext): void {}
