import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import { fixedSettingViolations, type SurveySettingsPatch } from "@canvass/questions";
import { commitDuringHold } from "@canvass/service";
import type { SurveyContext } from "../context.ts";
import type { SurveyRecord } from "../domain/survey-record.ts";
import type { SurveyRef } from "../domain/survey-ref.ts";
import { findCollections } from "../storage/collections.ts";
import { toCollectionMessage } from "./batch-get-collections.ts";
import { Overtaken } from "./overtaken.ts";

/** Keeps answers away from a survey until its next change is in effect. */
export interface Hold {
  /** The survey's revision when it was held. */
  revision: number;
  /** True: nothing is held. */
  hasResponses: boolean;
  /** When it was requested, by performance.now(). */
  askedAt: number;
}

/** A write changes settings that answers fix, and nothing keeps answers away. */
class NeedsHold extends Error {}

/** Repeats an attempt with a hold if it needs one (`requireHold`). */
export async function holdIfNeeded<Result>(
  context: SurveyContext,
  ref: SurveyRef,
  attempt: (hold?: Hold) => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof NeedsHold)) throw error;
    return attempt(await holdAnswers(context, ref));
  }
}

async function holdAnswers({ database, responses }: SurveyContext, ref: SurveyRef): Promise<Hold> {
  const [row] = await findCollections(database.sql, [ref]);
  if (!row) throw new AppError("survey_not_found");
  const collection = toCollectionMessage(row);
  const askedAt = performance.now();
  const { hasResponses } = await responses.holdUnansweredSurvey({ ...ref, collection });
  return { revision: row.revision, hasResponses, askedAt };
}

/**
 * Call it under the survey's lock. If the patch changes settings that answers fix, throws NeedsHold without a hold, and
 * Overtaken if a change since the hold may have ended it; else makes the transaction commit during the hold.
 */
export async function requireHold(
  sql: Sql,
  survey: SurveyRecord,
  patch: SurveySettingsPatch,
  hold: Hold | undefined,
): Promise<void> {
  const stored = JSON.parse(survey.settingsJson) as SurveySettingsPatch;
  if (fixedSettingViolations(patch, stored).length === 0) return;
  if (!hold) throw new NeedsHold();
  if (hold.revision !== survey.revision) throw new Overtaken();
  await commitDuringHold(sql, hold.askedAt);
}
