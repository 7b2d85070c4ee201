import type { Sql } from "@canvass/postgres";
import type { SurveySettings } from "@canvass/questions";
import { notCollecting } from "../domain/collecting.ts";
import type { DistributorRef, Link } from "../domain/links/link.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findDistributorResults } from "./links/distributor-results.ts";
import { findSurveyResult } from "./results/results.ts";

export type Completing = SurveyRef & Pick<DistributorRef, "distributorId">;

/** Remaining completions of each survey (`collection.responseLimit`) and each distributor that has a limit. */
export interface ResponseQuota {
  requireLeft(completing: Completing): void;
  reserve(completing: Completing): void;
}

interface Limited {
  name: string;
  limit: number;
  countCompleted: (sql: Sql) => Promise<number>;
}

/** Locks the quotas until the transaction ends, so that limits hold exactly. Runs no statement without limits. */
export async function lockResponseQuota(
  sql: Sql,
  surveys: readonly (SurveyRef & { collectingState: { settings: SurveySettings } })[],
  links: readonly Link[],
): Promise<ResponseQuota> {
  const limits = new Map<string, Limited>();
  for (const survey of surveys) addLimit(limits, limitOfSurvey(survey, survey.collectingState.settings));
  for (const link of links) addLimit(limits, limitOfLink(link));
  const left = new Map<string, number>();
  // In name order, to avoid deadlocks.
  for (const [name, { limit, countCompleted }] of [...limits].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await sql.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0)) IS NULL AS locked", [`limit ${name}`]);
    left.set(name, limit - (await countCompleted(sql)));
  }
  return {
    requireLeft(completing) {
      if ((left.get(nameOfSurvey(completing)) ?? 1) <= 0) throw notCollecting("response_limit");
      if ((left.get(nameOfDistributor(completing)) ?? 1) <= 0) throw notCollecting("link_limit");
    },
    reserve(completing) {
      for (const name of [nameOfSurvey(completing), nameOfDistributor(completing)]) {
        const quota = left.get(name);
        if (quota !== undefined) left.set(name, quota - 1);
      }
    },
  };
}

export async function requireQuotaLeft(sql: Sql, ref: SurveyRef, settings: SurveySettings): Promise<void> {
  if (await isFull(sql, limitOfSurvey(ref, settings))) throw notCollecting("response_limit");
}

export function isLinkFull(sql: Sql, link: Link): Promise<boolean> {
  return isFull(sql, limitOfLink(link));
}

async function isFull(sql: Sql, limited: Limited | undefined): Promise<boolean> {
  return limited !== undefined && (await limited.countCompleted(sql)) >= limited.limit;
}

function addLimit(limits: Map<string, Limited>, limited: Limited | undefined): void {
  if (limited) limits.set(limited.name, limited);
}

function limitOfSurvey(ref: SurveyRef, { collection }: SurveySettings): Limited | undefined {
  const { responseLimit: limit } = collection;
  if (limit === null) return undefined;
  const { workspaceId, surveyId } = ref;
  const countCompleted = async (sql: Sql) => (await findSurveyResult(sql, workspaceId, surveyId)).completed;
  return { name: nameOfSurvey(ref), limit, countCompleted };
}

function limitOfLink(link: Link): Limited | undefined {
  const { responseLimit: limit } = link;
  if (limit === null) return undefined;
  const countCompleted = async (sql: Sql) => (await findDistributorResults(sql, [link]))[0]?.completed ?? 0;
  return { name: nameOfDistributor(link), limit, countCompleted };
}

const nameOfSurvey = ({ workspaceId, surveyId }: SurveyRef) => `${workspaceId} ${surveyId}`;
const nameOfDistributor = ({ workspaceId, distributorId }: DistributorRef) => `${workspaceId} by ${distributorId}`;
