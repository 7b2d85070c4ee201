import { dayIn, startOfDay } from "@canvass/values";
import { leaveSlot } from "./counters.ts";
import type { BatchChanges } from "../submissions/batch-changes.ts";
import { countRespondent, type Counting } from "./count-respondent.ts";
import { countStartDay, startsKeptMs } from "./count-start.ts";
import { recordedDay } from "../respondents/recorded-time.ts";
import { isOpen, type NewRespondent, type RespondentState } from "../respondents/respondent-state.ts";

export function* uncountRespondent(
  state: RespondentState & Pick<NewRespondent, "country">,
  { now, ...counting }: Omit<Counting, "sign"> & { now: Date },
  changes: BatchChanges,
): Generator<undefined, void> {
  yield* countRespondent(state, { ...counting, sign: -1 }, changes);
  if (state.isTest) return;
  const { timeZone } = counting;
  const startedOn = startOfDay(timeZone, startDay(state, timeZone));
  if (now.getTime() - startedOn.getTime() < startsKeptMs) countStartDay(changes, state, startedOn, -1);
  if (isOpen(state)) leaveSlot(state, now, changes);
}

function startDay({ isAnonymous, startedAt }: RespondentState, timeZone: string): string {
  return isAnonymous ? recordedDay(startedAt) : dayIn(timeZone, startedAt);
}
