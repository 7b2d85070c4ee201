import type { KeyedSemaphore } from "@canvass/fairness";
import type { ResponseService } from "@canvass/proto/response";
import type { RpcClient } from "@canvass/rpc";
import type { PushChange, Shell } from "@canvass/service";
import type { Prisma, PrismaClient } from "../gen/prisma/client.ts";
import type { LRUCache } from "lru-cache";
import type { Questionnaires } from "./application/questionnaires/questionnaires.ts";
import type { createElementPages } from "./storage/element-pages.ts";

export type SurveyShell = Shell<PrismaClient, Prisma.TransactionClient>;

export interface SurveyContext extends SurveyShell {
  responses: Pick<RpcClient<typeof ResponseService>, "batchCountAnswers" | "hasResponses" | "holdUnansweredSurvey">;
  elementPages: ReturnType<typeof createElementPages>;
  pushCollecting: PushChange;
  passwordChecks: KeyedSemaphore;
  mostFileBytes: number;
  questionnaires: Questionnaires;
  /** Number of unpublished changes by survey and revision. */
  changeCounts: LRUCache<string, number>;
}
