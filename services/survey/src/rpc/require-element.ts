import { AppError } from "@canvass/errors";
import { isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { SurveyContext } from "../context.ts";
import type { ElementRecord, ElementRef, ElementRetirement } from "../domain/element-record.ts";
import { findElement, findElementRetirement } from "../storage/element-records.ts";
import { findCarryingQuestionIds } from "../storage/kept-definitions.ts";
import { countAnswers, type AnswerCounts } from "./answer-counts.ts";

export interface UnretiredElement extends ElementRetirement {
  answers: AnswerCounts;
}

/**
 * Asks the response service for the answer counts: call it before taking locks. Throws `element_not_found`, also for an
 * element of another workspace, and `element_retired`. With `carried`, answers to questions that carry its
 * choices count for those.
 */
export async function requireUnretired(
  context: SurveyContext,
  ref: ElementRef,
  counting: "own" | "carried",
): Promise<UnretiredElement> {
  const { sql } = context.database;
  const retirement = await requireKnown(sql, ref);
  const carrying = counting === "carried" ? await findCarryingQuestionIds(sql, retirement) : [];
  const answers = await countAnswers(context, retirement, carrying);
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
