import { repairJobs } from "@canvass/jobs";
import { DistributorService } from "@canvass/proto/distribution";
import { LinkService } from "@canvass/proto/distribution-links";
import { EventIntakeService } from "@canvass/proto/events";
import { LinkResponseService } from "@canvass/proto/response-links";
import { SurveyService } from "@canvass/proto/survey-service";
import { bind } from "@canvass/rpc";
import {
  createPush,
  createPasswordCheckLimit,
  startService,
  type RunningService,
  type ServiceOverrides,
} from "@canvass/service";
import type { ConnectRouter } from "@connectrpc/connect";
import { PrismaClient } from "../gen/prisma/client.ts";
import type { DistributionConfig } from "./config.ts";
import { completeReceipts } from "./consumers/complete-receipts.ts";
import type { DistributionContext, DistributionShell } from "./context.ts";
import { purges } from "./purges.ts";
import { batchCountOpened } from "./rpc/batch-count-opened.ts";
import { batchGetLinks } from "./rpc/batch-get-links.ts";
import { checkLinkPassword } from "./rpc/check-link-password.ts";
import { createDistributor } from "./rpc/create-distributor.ts";
import { deleteDistributor } from "./rpc/delete-distributor.ts";
import { getDistributor } from "./rpc/get-distributor.ts";
import { issueLinks } from "./rpc/issue-links.ts";
import { listDistributors } from "./rpc/list-distributors.ts";
import { listIssuedLinks } from "./rpc/list-issued-links.ts";
import { moveDistributor } from "./rpc/move-distributor.ts";
import { replaceDistributorSettings } from "./rpc/replace-distributor-settings.ts";
import { updateDistributor } from "./rpc/update-distributor.ts";
import { startContactImports } from "./application/imports/imports.ts";
import { contactRoutes } from "./rpc/contacts/contact-routes.ts";
import { transfer } from "./transfer.ts";
import manifest from "../package.json" with { type: "json" };

/** Shorter than a caller's deadline, so that the caller still gets the error. */
const askTimeoutMs = 3_000;

export function startDistributionService(
  config: DistributionConfig,
  overrides: ServiceOverrides = {},
): Promise<RunningService> {
  const surveyService = { name: "survey", url: config.CANVASS_SURVEY_URL, defaultTimeoutMs: askTimeoutMs };
  const responseService = { name: "response", url: config.CANVASS_RESPONSE_URL, defaultTimeoutMs: askTimeoutMs };
  return startService({
    name: "distribution",
    version: manifest.version,
    config,
    overrides,
    createPrisma: (adapter) => new PrismaClient({ adapter }),
    createContext: (shell: DistributionShell): DistributionContext => ({
      ...shell,
      pushCollecting: createPush(
        shell.connect(EventIntakeService, responseService),
        { consumer: "collecting", part: "response" },
        shell.log,
      ),
      passwordChecks: createPasswordCheckLimit(),
      surveys: shell.connect(SurveyService, surveyService),
      responses: shell.connect(LinkResponseService, responseService),
      imports: shell.use(startContactImports(shell)),
    }),
    consumers: { "erasure-receipts": completeReceipts },
    purges,
    clockRepairs: [{ rows: "due times of jobs", repair: repairJobs }],
    transfer: () => transfer,
    routes,
  });
}

function routes(router: ConnectRouter, context: DistributionContext): void {
  contactRoutes(router, context);
  router.service(DistributorService, {
    createDistributor: bind(context, createDistributor),
    listDistributors: bind(context, listDistributors),
    getDistributor: bind(context, getDistributor),
    updateDistributor: bind(context, updateDistributor),
    replaceDistributorSettings: bind(context, replaceDistributorSettings),
    moveDistributor: bind(context, moveDistributor),
    deleteDistributor: bind(context, deleteDistributor),
    issueLinks: bind(context, issueLinks),
    listIssuedLinks: bind(context, listIssuedLinks),
  });
  router.service(LinkService, {
    batchGetLinks: bind(context, batchGetLinks),
    checkLinkPassword: bind(context, checkLinkPassword),
    batchCountOpened: bind(context, batchCountOpened),
  });
}
