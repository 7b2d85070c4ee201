import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { SurveyContext } from "../context.ts";
import type { ElementRecord, ElementRef, ElementHistory } from "../domain/element-record.ts";
import { findElement, findElementTrace } from "../storage/element-records.ts";
import { countAnswers, type AnswerCounts } from "./answer-counts.ts";

export interface AskedElement extends ElementHistory {
  answers: AnswerCounts;
}

/** Throws `element_not_found`, also for an element of another workspace, and `element_retired`. */
export async function findElementWithCounts(context: SurveyContext, ref: ElementRef): Promise<AskedElement> {
  const trace = await requireTrace(context.database.sql, ref);
  const answers = await countAnswers(context, trace);
  refuseRetired(trace, answers);
  return { ...trace, answers };
}

export async function requireElement(sql: Sql, ref: ElementRef, { answers }: AskedElement): Promise<ElementRecord> {
  const element = await findElement(sql, ref);
  if (element) return element;
  refuseRetired(await requireTrace(sql, ref), answers);
  throw new AppError("element_not_found");
}

async function requireTrace(sql: Sql, ref: ElementRef): Promise<ElementHistory> {
  const trace = isId(ref.elementId) ? await findElementTrace(sql, ref) : undefined;
  if (!trace) throw new AppError("element_not_found");
  return trace;
}

function refuseRetired({ retiredAt }: ElementHistory, { responses }: AnswerCounts): void {
  if (retiredAt === null) return;
  throw new AppError("element_retired", { retiredAt: retiredAt.toISOString(), responses: Number(responses) });
}
