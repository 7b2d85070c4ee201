import { createYielder, runWithYielder } from "@canvass/fairness";
import type { Sql } from "@canvass/postgres";
import { BatchChanges } from "../../domain/submissions/batch-changes.ts";
import { countRespondent } from "../../domain/results/count-respondent.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import { walkRespondents } from "../reading/walk-respondents.ts";
import { withTextSum } from "../../storage/results/counters.ts";
import { addRecounted } from "../../storage/results/recount-tables.ts";
import type { SurveyDirectory } from "../surveys/survey-directory.ts";

export interface Recount {
  respondents: number;
  answers: number;
  /** Some completed under full anonymity, so their durations are unknown. */
  hasUnknownTimes: boolean;
}

const mostRows = 5_000;

/** Counts a survey's respondents into temporary tables (recount-tables.ts). Yields one object, which it updates. */
export async function* recountRespondents(
  sql: Sql,
  surveys: Pick<SurveyDirectory, "version">,
  survey: SurveyRef,
  timeZone: string,
): AsyncGenerator<Recount, Recount> {
  const recount: Recount = { respondents: 0, answers: 0, hasUnknownTimes: false };
  const counting = { timeZone, sign: 1, anonymousMilliseconds: 0 } as const;
  const yieldIfDue = createYielder();
  let changes = new BatchChanges();
  for await (const respondents of walkRespondents(sql, { filter: survey, withAnswers: true })) {
    for (const respondent of respondents) {
      const state = { ...survey, ...respondent };
      const { definition } = await surveys.version(state);
      await runWithYielder(yieldIfDue, countRespondent(state, { definition, ...counting }, changes));
      if (!state.isTest && state.isAnonymous && state.completedAt) recount.hasUnknownTimes = true;
      recount.answers += state.answers.size;
    }
    recount.respondents += respondents.length;
    if (changes.questions.size + changes.buckets.size + changes.numbers.size + changes.slots.size > mostRows) {
      await writeDown(sql, changes);
      changes = new BatchChanges();
    }
    yield recount;
  }
  await writeDown(sql, changes);
  return recount;
}

async function writeDown(sql: Sql, changes: BatchChanges): Promise<void> {
  await addRecounted(sql, "survey_counters", changes.surveys.values());
  await addRecounted(sql, "question_counters", changes.questions.values().map(withTextSum));
  await addRecounted(sql, "bucket_counters", changes.buckets.values());
  await addRecounted(sql, "number_counters", changes.numbers.values());
  await addRecounted(sql, "distributor_counters", changes.distributors.values());
  await addRecounted(sql, "quota_counters", changes.quotas.values());
  await addRecounted(sql, "completion_slots", changes.slots.values());
}
