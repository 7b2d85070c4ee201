import { findAnswerPlace, type SurveyDefinition } from "@canvass/questions";
import { countAnswer } from "../results/count-answer.ts";
import { keyOf, type RespondentState } from "../respondents/respondent-state.ts";
import { answerWeight } from "./answer-weight.ts";
import { surveyCounts, type BatchChanges } from "./batch-changes.ts";

/**
 * Takes a respondent's answers about the person back, and out of what counts them, as if they had never been given. `state`
 * holds all answers. Returns how many there were. Pauses at each answer.
 */
export function* erasePersonalAnswers(
  state: RespondentState,
  definition: SurveyDefinition,
  changes: BatchChanges,
): Generator<undefined, number> {
  let erased = 0;
  for (const answerKey of state.answers.keys()) {
    yield;
    const place = findAnswerPlace(definition, answerKey);
    if (!place) throw new Error(`the version has no place for the answer ${answerKey}`);
    if (!place.type.isPersonal) continue;
    eraseAnswer(state, answerKey, place, changes);
    erased += 1;
  }
  if (erased > 0) changes.respondents.set(keyOf(state), state);
  return erased;
}

type Place = NonNullable<ReturnType<typeof findAnswerPlace>>;

function eraseAnswer(
  state: RespondentState,
  answerKey: string,
  { question, type }: Place,
  changes: BatchChanges,
): void {
  const { workspaceId, respondentId, answers } = state;
  const { value, meta, submittedAt } = answers.get(answerKey)!;
  answers.delete(answerKey);
  state.answerWeight = Math.max(0, state.answerWeight - answerWeight({ value, meta }));
  changes.left.set(`${keyOf(state)} ${answerKey}`, {
    workspace_id: workspaceId,
    respondent_id: respondentId,
    answer_key: answerKey,
    submitted_at: submittedAt.toISOString(),
  });
  if (state.isTest) {
    surveyCounts(changes, state).test_answers -= 1;
    return;
  }
  const { elementId, questionId } = question;
  const others = answers.keys().some((key) => key === elementId || key.startsWith(`${elementId}:`));
  const before = type.tally(question, value);
  countAnswer(state, questionId, { responses: -1, respondents: others ? 0 : -1 }, { before, after: null }, changes);
}
