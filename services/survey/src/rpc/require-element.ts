import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { SurveyContext } from "../context.ts";
import type { ElementRecord, ElementRef, ElementHistory } from "../domain/element-record.ts";
import { findElement, findElementHistory } from "../storage/element-records.ts";
import { countAnswers, type AnswerCounts } from "./answer-counts.ts";

export interface HistoryWithCounts extends ElementHistory {
  answers: AnswerCounts;
}

/** Throws `element_not_found`, also for an element of another workspace, and `element_retired`. */
export async function requireHistoryWithCounts(context: SurveyContext, ref: ElementRef): Promise<HistoryWithCounts> {
  const history = await requireHistory(context.database.sql, ref);
  const answers = await countAnswers(context, history);
  refuseRetired(history, answers);
  return { ...history, answers };
}

export async function requireElement(
  sql: Sql,
  ref: ElementRef,
  { answers }: HistoryWithCounts,
): Promise<ElementRecord> {
  const element = await findElement(sql, ref);
  if (element) return element;
  refuseRetired(await requireHistory(sql, ref), answers);
  throw new AppError("element_not_found");
}

async function requireHistory(sql: Sql, ref: ElementRef): Promise<ElementHistory> {
  const history = isId(ref.elementId) ? await findElementHistory(sql, ref) : undefined;
  if (!history) throw new AppError("element_not_found");
  return history;
}

function refuseRetired({ retiredAt }: ElementHistory, { responses }: AnswerCounts): void {
  if (retiredAt === null) return;
  throw new AppError("element_retired", { retiredAt: retiredAt.toISOString(), responses: Number(responses) });
}
