import type { findAnswerPlace, SurveyDefinition } from "@canvass/questions";
import { countAnswer, surveyCounts } from "../results/counters.ts";
import { keyOf, type RespondentState, type CurrentAnswer } from "../respondents/respondent-state.ts";
import { answerPart } from "./answer-id.ts";
import { getOrInsert, type BatchChanges } from "./batch-changes.ts";

export type QuestionPlace = Pick<NonNullable<ReturnType<typeof findAnswerPlace>>, "question" | "type">;

/** Replaces an answer, or removes it if `after` is null: in the state, in the changes and in the counters. */
export function changeAnswer(
  state: RespondentState,
  answerKey: string,
  { question, type }: QuestionPlace,
  after: CurrentAnswer | null,
  definition: SurveyDefinition,
  changes: BatchChanges,
): void {
  const { elementId, questionId } = question;
  const before = state.answers.get(answerKey) ?? null;
  const stood = answeredBy(state, elementId);
  if (after) state.answers.set(answerKey, after);
  else state.answers.delete(answerKey);
  writeAnswer(state, answerKey, before, after, definition, changes);
  if (state.isTest) {
    const added = Number(after !== null) - Number(before !== null);
    if (added !== 0) surveyCounts(changes, state).test_answers += added;
    return;
  }
  const stands = answeredBy(state, elementId);
  const tallyOf = (answer: CurrentAnswer | null) => (answer ? type.tally(question, answer.value) : null);
  for (const offPath of [false, true]) {
    const place = offPath ? "off path" : "on path";
    const here = (answer: CurrentAnswer | null) => (answer && isOffPath(answer) === offPath ? answer : null);
    const [was, is] = [here(before), here(after)];
    const responses = Number(is !== null) - Number(was !== null);
    const respondents = Number(stands === place) - Number(stood === place);
    if (!was && !is && respondents === 0) continue;
    const tallies = { before: tallyOf(was), after: tallyOf(is) };
    countAnswer(state, { questionId, offPath }, { responses, respondents }, tallies, changes);
  }
}

const isOffPath = ({ offPath = false }: CurrentAnswer) => offPath;

/** How a respondent counts for a question: on the path if any of its repetitions is. */
function answeredBy({ answers }: RespondentState, elementId: string): "on path" | "off path" | null {
  const own = answers.get(elementId);
  if (own) return isOffPath(own) ? "off path" : "on path";
  let found: "off path" | null = null;
  for (const [key, answer] of answers) {
    if (!key.startsWith(`${elementId}:`)) continue;
    if (!isOffPath(answer)) return "on path";
    found = "off path";
  }
  return found;
}

function writeAnswer(
  state: RespondentState,
  answerKey: string,
  before: CurrentAnswer | null,
  after: CurrentAnswer | null,
  definition: SurveyDefinition,
  changes: BatchChanges,
): void {
  const { workspaceId, respondentId } = state;
  const rowKey = `${keyOf(state)} ${answerKey}`;
  // Only the place before this batch is stored. Later ones were never written.
  if (before && !changes.answers.has(rowKey)) {
    getOrInsert(changes.formerPlaces, rowKey, () => ({
      workspace_id: workspaceId,
      respondent_id: respondentId,
      answer_key: answerKey,
      submitted_at: before.submittedAt.toISOString(),
    }));
  }
  if (!after) changes.answers.delete(rowKey);
  else {
    const part = answerPart(definition, answerKey);
    changes.answers.set(rowKey, { respondent: state, answerKey, part, answer: after });
  }
}
