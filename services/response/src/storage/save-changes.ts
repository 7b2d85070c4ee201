import { appendEvents, newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import type { Sql } from "@canvass/postgres";
import type { BatchChanges, Completion, QuestionCounts } from "../domain/batch-changes.ts";
import { shownCompletion } from "../domain/recorded-time.ts";
import type { RespondentState } from "../domain/respondent-state.ts";
import { answerStatements } from "./answer-sets.ts";
import { counterStatements, numberStatements, pickShard } from "./counters.ts";
import { rowsAsJson } from "./rows-as-json.ts";
import { sendAll, type Statement } from "./statement.ts";

/**
 * Saves what a batch changes: one statement for each table, all sent at once. The respondents are locked already;
 * counters are locked in the order of these statements and of their keys.
 */
export async function saveChanges(sql: Sql, changes: BatchChanges, now: Date): Promise<void> {
  const shard = pickShard();
  const statements = [
    ...(await answerStatements(changes.left.values(), changes.answers.values())),
    ...(await respondentStatements(changes.respondents.values(), now)),
    ...(await counterStatements("question_counters", shard, changes.questions.values().map(withTextSum))),
    ...(await counterStatements("bucket_counters", shard, changes.buckets.values())),
    ...(await numberStatements(shard, changes.numbers.values())),
    ...(await counterStatements("survey_counters", shard, changes.surveys.values())),
    ...(await counterStatements("completion_slots", shard, changes.slots.values())),
  ];
  await Promise.all([sendAll(sql, statements), appendEvents(sql, changes.completions.map(toEvent))]);
}

/** A sum of billionths is wider than a JSON number is exact. */
function withTextSum({ sum, ...counts }: QuestionCounts) {
  return { ...counts, sum: sum.toString() };
}

async function respondentStatements(states: Iterable<RespondentState>, now: Date): Promise<Statement[]> {
  const rows = [...states].map((state) => ({
    workspace_id: state.workspaceId,
    respondent_id: state.respondentId,
    started_at: state.startedAt,
    completed_at: state.completedAt,
    // The last request of an anonymous respondent would tell when it completed.
    last_seen_at: state.isAnonymous && state.completedAt ? state.completedAt : now,
    page_id: state.pageId,
  }));
  if (rows.length === 0) return [];
  const text = `UPDATE respondents r SET started_at = u.started_at, completed_at = u.completed_at,
       last_seen_at = u.last_seen_at, page_id = u.page_id
     FROM json_to_recordset($1::json) AS u (workspace_id text, respondent_id text,
       started_at timestamptz, completed_at timestamptz, last_seen_at timestamptz, page_id text)
     WHERE (r.workspace_id, r.respondent_id) = (u.workspace_id, u.respondent_id)`;
  return [{ text, params: [await rowsAsJson(rows)] }];
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
