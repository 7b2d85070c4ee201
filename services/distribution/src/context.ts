import type { KeyedSemaphore } from "@canvass/fairness";
import type { Imports } from "@canvass/jobs/imports";
import type { LinkResponseService } from "@canvass/proto/response-links";
import type { SurveyService } from "@canvass/proto/survey-service";
import type { RpcClient } from "@canvass/rpc";
import type { PushChange, Shell, Transaction } from "@canvass/service";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";

export type DistributionShell = Shell<PrismaClient, Prisma.TransactionClient>;
export type DistributionTransaction = Transaction<Prisma.TransactionClient>;

export interface DistributionContext extends DistributionShell {
  pushCollecting: PushChange;
  passwordChecks: KeyedSemaphore;
  imports: Imports;
  surveys: Pick<RpcClient<typeof SurveyService>, "batchGetCollections">;
  responses: Pick<
    RpcClient<typeof LinkResponseService>,
    "batchGetDistributorResults" | "batchGetLinkUses" | "holdUnusedLink" | "listContactRespondents"
  >;
}
