import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import { sendAll, type Sql, type Statement } from "@canvass/postgres";
import { newId } from "@canvass/values";
import type { BatchChanges, Completion } from "../domain/submissions/batch-changes.ts";
import { shownCompletion } from "../domain/respondents/recorded-time.ts";
import type { RespondentState } from "../domain/respondents/respondent-state.ts";
import { fileStatements } from "./files/answered-files.ts";
import { answerStatements } from "./answers/answer-sets.ts";
import { counterStatements, numberStatements, pickShard, withTextSum } from "./results/counters.ts";
import { insertStatements, updateStatements } from "./respondents/respondent-rows.ts";

export async function saveChanges(sql: Sql, changes: BatchChanges): Promise<void> {
  await sendAll(sql, await changeStatements(changes));
}

/**
 * Few statements per table, however many rows change. Respondents must be locked. Counters are locked in the order of
 * statements and of keys.
 */
export async function changeStatements(changes: BatchChanges): Promise<Statement[]> {
  const shard = pickShard();
  return [
    ...(await answerStatements(changes.formerPlaces.values(), changes.answers.values())),
    ...(await fileStatements(changes.files)),
    ...(await insertStatements(changes.starts.values())),
    ...(await updateStatements(changedRespondents(changes))),
    ...(await counterStatements("question_counters", shard, changes.questions.values().map(withTextSum))),
    ...(await counterStatements("bucket_counters", shard, changes.buckets.values())),
    ...(await numberStatements(shard, changes.numbers.values())),
    ...(await counterStatements("survey_counters", shard, changes.surveys.values())),
    ...(await counterStatements("distributor_counters", shard, changes.distributors.values())),
    ...(await counterStatements("quota_counters", shard, changes.quotas.values())),
    ...(await counterStatements("completion_slots", shard, changes.slots.values())),
    ...(await counterStatements("start_days", shard, changes.startDays.values())),
    ...(await counterStatements(
      "activity_slots",
      shard,
      changes.activity.values().filter(({ respondents }) => respondents !== 0),
    )),
  ];
}

/** Returns new events: append and publish the same ones. */
export function completionEvents({ completions }: BatchChanges): Event[] {
  return completions.map(toEvent);
}

/** Respondents that start are inserted in their final state. */
function changedRespondents({ respondents, starts }: BatchChanges): RespondentState[] {
  return [...respondents].filter(([key]) => !starts.has(key)).map(([, state]) => state);
}

function toEvent({ respondent, at, traceparent }: Completion): Event {
  const { workspaceId, surveyId, respondentId, completedAt, isAnonymous } = respondent;
  const recordedAt = completedAt!;
  return newEvent({
    // The id reveals no more than the recorded time.
    eventId: newId(recordedAt),
    workspaceId,
    occurredAt: at,
    // Nothing stored or sent may connect an anonymous answer with its request.
    traceparent: isAnonymous ? undefined : traceparent,
    body: {
      case: "responseCompleted",
      value: {
        surveyId,
        responseId: respondentId,
        completedAt: shownCompletion(recordedAt, isAnonymous),
        timestamp: recordedAt.toISOString(),
      },
    },
  });
}
