import { AppError } from "@canvass/errors";
import type { Sql } from "@canvass/postgres";
import type { VersionOf } from "./batch-versions.ts";
import { claimsToBeFinal, neededAnswers, needsAllAnswers } from "../../domain/submissions/needed-answers.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";
import { lockRespondents, type LockedRespondents } from "../../storage/respondents/lock-respondents.ts";
import { findAllAnswers } from "../../storage/answers/current-answers.ts";

/** Locked respondents, by `keyOf`. Missing ones are left out. */
export interface LockedStates {
  states: ReadonlyMap<string, RespondentState>;
  /** Respondents that were not read: their submissions need a later commit. */
  unread: ReadonlyMap<string, RespondentState>;
  revisions: LockedRespondents["revisions"];
}

export async function lockStates(
  sql: Sql,
  submissions: readonly OpenSubmission[],
  versionOf: VersionOf,
): Promise<LockedStates> {
  const {
    states: read,
    unread,
    revisions,
  } = await lockRespondents(
    sql,
    submissions.map((submission) => ({ ...refOf(submission), answerKeys: neededAnswers(submission.body) })),
  );
  const states = byKey(read);
  const inFull = new Set<RespondentState>();
  for (const submission of submissions) {
    const state = states.get(keyOf(refOf(submission)));
    // Whether a page is the last depends on the version, which only the respondent's row names.
    const allRead = claimsToBeFinal(submission.body);
    if (state && !allRead && needsAll(submission, state, versionOf)) inFull.add(state);
  }
  await findAllAnswers(sql, [...inFull]);
  return { states, unread: byKey(unread), revisions };
}

const byKey = (states: RespondentState[]) => new Map(states.map((state) => [keyOf(state), state]));

function needsAll({ body }: OpenSubmission, state: RespondentState, versionOf: VersionOf): boolean {
  const version = versionOf(state);
  return version !== undefined && !(version instanceof AppError) && needsAllAnswers(body, version.definition);
}
