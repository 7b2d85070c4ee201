import { appendEvents, newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import type { Sql } from "@canvass/postgres";
import type { BatchChanges, Completion } from "../domain/batch-changes.ts";
import { shownCompletion } from "../domain/recorded-time.ts";
import type { RespondentState } from "../domain/respondent-state.ts";
import { writeAnswers } from "./answer-sets.ts";
import { countAnswers, countBuckets, countCompletions, countNumbers, countSlots, pickShard } from "./counters.ts";

/**
 * Writes what a batch changes: one statement for each table it touches, all sent at once. The respondents are locked
 * by now, and the counters' rows are locked in the order of these statements and of their keys.
 */
export async function writeChanges(sql: Sql, changes: BatchChanges, now: Date): Promise<void> {
  const shard = pickShard();
  await Promise.all([
    writeAnswers(sql, [...changes.left.values()], [...changes.answers.values()]),
    updateRespondents(sql, [...changes.respondents.values()], now),
    countAnswers(sql, shard, changes.questions.values()),
    countBuckets(sql, shard, changes.buckets.values()),
    countNumbers(sql, shard, changes.numbers.values()),
    countCompletions(sql, shard, changes.surveys.values()),
    countSlots(sql, shard, changes.slots.values()),
    appendEvents(sql, changes.completions.map(toEvent)),
  ]);
}

async function updateRespondents(sql: Sql, states: readonly RespondentState[], now: Date): Promise<void> {
  if (states.length === 0) return;
  const rows = states.map((state) => ({
    workspace_id: state.workspaceId,
    respondent_id: state.respondentId,
    started_at: state.startedAt,
    completed_at: state.completedAt,
    // The last request of a completed anonymous respondent would tell when it completed.
    last_seen_at: state.isAnonymous && state.completedAt ? state.completedAt : now,
    page_id: state.pageId,
  }));
  await sql.query(
    `UPDATE respondents r SET started_at = u.started_at, completed_at = u.completed_at, last_seen_at = u.last_seen_at,
       page_id = u.page_id
     FROM json_to_recordset($1::json) AS u (workspace_id text, respondent_id text,
       started_at timestamptz, completed_at timestamptz, last_seen_at timestamptz, page_id text)
     WHERE (r.workspace_id, r.respondent_id) = (u.workspace_id, u.respondent_id)`,
    [JSON.stringify(rows)],
  );
}

function toEvent({ eventId, workspaceId, surveyId, respondentId, occurredAt, ...completion }: Completion): Event {
  const { recordedAt, isAnonymous } = completion;
  return newEvent({
    eventId,
    workspaceId,
    occurredAt,
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
