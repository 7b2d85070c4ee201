import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { SurveyContext } from "../context.ts";
import type { ElementRecord, ElementRef, ElementRetirement } from "../domain/element-record.ts";
import { findElement, findElementRetirement } from "../storage/element-records.ts";
import { countAnswers, type AnswerCounts } from "./answer-counts.ts";

export interface UnretiredElement extends ElementRetirement {
  answers: AnswerCounts;
}

/**
 * Asks the response service for the answer counts: call it before taking locks. Throws `element_not_found`, also for an
 * element of another workspace, and `element_retired`.
 */
export async function requireUnretired(context: SurveyContext, ref: ElementRef): Promise<UnretiredElement> {
  const retirement = await requireKnown(context.database.sql, ref);
  const answers = await countAnswers(context, retirement);
  refuseRetired(retirement, answers);
  return { ...retirement, answers };
}

export async function requireElement(sql: Sql, ref: ElementRef, { answers }: UnretiredElement): Promise<ElementRecord> {
  const element = await findElement(sql, ref);
  if (element) return element;
  refuseRetired(await requireKnown(sql, ref), answers);
  throw new AppError("element_not_found");
}

async function requireKnown(sql: Sql, ref: ElementRef): Promise<ElementRetirement> {
  const retirement = isId(ref.elementId) ? await findElementRetirement(sql, ref) : undefined;
  if (!retirement) throw new AppError("element_not_found");
  return retirement;
}

function refuseRetired({ retiredAt }: ElementRetirement, { responses }: AnswerCounts): void {
  if (retiredAt === null) return;
  throw new AppError("element_retired", { retiredAt: retiredAt.toISOString(), responses: Number(responses) });
}
