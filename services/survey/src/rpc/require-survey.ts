import { AppError } from "@canvass/errors";
import { type Fault, requireIfMatch, validationFailed } from "@canvass/inputs";
import { ifMatchAllows, isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findSurveys, lockSurvey } from "../storage/find-surveys.ts";
import { surveyTag } from "./survey-message.ts";

/** The survey, held until the transaction ends. Throws `survey_not_found`, also for one of another workspace. */
export async function requireLockedSurvey(sql: Sql, ref: SurveyRef): Promise<SurveyRecord> {
  const survey = isId(ref.surveyId) ? await lockSurvey(sql, ref) : undefined;
  if (!survey) throw new AppError("survey_not_found");
  return survey;
}

/** The survey as it is now, held by nobody. Throws `survey_not_found`, also for one of another workspace. */
export async function requireSurvey(sql: Sql, ref: SurveyRef): Promise<SurveyRecord> {
  const [survey] = isId(ref.surveyId) ? await findSurveys(sql, [ref]) : [];
  if (!survey) throw new AppError("survey_not_found");
  return survey;
}

/**
 * Looks up what a body is about. When that is refused, what is wrong with the body whatever it is about is told instead:
 * shape comes before existence.
 */
export async function shapeFirst<Found>(
  shapeFaults: () => Fault[] | Promise<Fault[]>,
  find: () => Promise<Found>,
): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    const faults = error instanceof AppError ? await shapeFaults() : [];
    throw faults.length > 0 ? validationFailed(faults) : error;
  }
}

/** The survey, held until the transaction ends, with one of the tags that `If-Match` names. */
export async function requireMatchingSurvey(
  sql: Sql,
  ref: SurveyRef,
  ifMatch: readonly string[],
): Promise<SurveyRecord> {
  const survey = await requireLockedSurvey(sql, ref);
  requireMatch(ifMatch, survey);
  return survey;
}

/**
 * Throws `precondition_failed` unless an entry of `If-Match` is the tag of the survey, which must be locked. The edge
 * refuses a request without the header; an empty list is one all the same, and writes nothing.
 */
export function requireMatch(ifMatch: readonly string[], survey: SurveyRecord): void {
  requireIfMatch(ifMatch);
  if (!ifMatchAllows(ifMatch, surveyTag(survey))) throw new AppError("precondition_failed");
}
