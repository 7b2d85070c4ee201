import { AppError } from "@canvass/errors";
import { type Violation, requireIfMatch, validationFailed } from "@canvass/inputs";
import { ifMatchAllows, isId } from "@canvass/values";
import type { Sql } from "@canvass/postgres";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findSurveys, lockSurvey } from "../storage/find-surveys.ts";
import { surveyTag } from "./survey-message.ts";

/** Locks a survey until the transaction ends. Throws `survey_not_found`, also for one of another workspace. */
export async function requireLockedSurvey(sql: Sql, ref: SurveyRef): Promise<SurveyRecord> {
  const survey = isId(ref.surveyId) ? await lockSurvey(sql, ref) : undefined;
  if (!survey) throw new AppError("survey_not_found");
  return survey;
}

export async function requireSurvey(sql: Sql, ref: SurveyRef): Promise<SurveyRecord> {
  const [survey] = isId(ref.surveyId) ? await findSurveys(sql, [ref]) : [];
  if (!survey) throw new AppError("survey_not_found");
  return survey;
}

/** Runs `find`. Violations of the body's shape take precedence over its AppErrors: they throw `validation_failed`. */
export async function validateShapeOnFailure<Found>(
  shapeViolations: () => Violation[] | Promise<Violation[]>,
  find: () => Promise<Found>,
): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    const violations = error instanceof AppError ? await shapeViolations() : [];
    throw violations.length > 0 ? validationFailed(violations) : error;
  }
}

/** Like `requireLockedSurvey`. Throws also `precondition_required` and `precondition_failed`. */
export async function requireLockedMatchingSurvey(
  sql: Sql,
  ref: SurveyRef,
  ifMatch: readonly string[],
): Promise<SurveyRecord> {
  const survey = await requireLockedSurvey(sql, ref);
  requireMatch(ifMatch, survey);
  return survey;
}

export function requireMatch(ifMatch: readonly string[], survey: SurveyRecord): void {
  requireIfMatch(ifMatch);
  if (!ifMatchAllows(ifMatch, surveyTag(survey))) throw new AppError("precondition_failed");
}
