import type { Sql } from "@canvass/postgres";
import { ownAnswers } from "../../domain/submissions/needed-answers.ts";
import { keyOf, type RespondentState } from "../../domain/respondents/respondent-state.ts";
import { refOf, type OpenSubmission } from "./open-submission.ts";
import { lockRespondents, type LockedRespondents } from "../../storage/respondents/lock-respondents.ts";

/** Locked respondents, by `keyOf`. Missing ones are left out. */
export interface LockedStates {
  states: ReadonlyMap<string, RespondentState>;
  /** Respondents that were not read: their submissions need a later commit. */
  unread: ReadonlyMap<string, RespondentState>;
  revisions: LockedRespondents["revisions"];
}

/** Locks the respondents and reads the answers that need no version (`readFurtherAnswers` reads the others). */
export async function lockStates(sql: Sql, submissions: readonly OpenSubmission[]): Promise<LockedStates> {
  const wanted = submissions.map((submission) => ({ ...refOf(submission), answerKeys: ownAnswers(submission.body) }));
  const { states, unread, revisions } = await lockRespondents(sql, wanted);
  return { states: byKey(states), unread: byKey(unread), revisions };
}

const byKey = (states: RespondentState[]) => new Map(states.map((state) => [keyOf(state), state]));
