import type { Violation } from "@canvass/inputs";
import { newlyMissing, type SurveyDefinition } from "@canvass/questions";
import { answerValues } from "./progress.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";

const mostReported = 100;

/**
 * Returns violations for what a completed respondent must keep: an answer to every required question that it can reach.
 * Removing one is a violation of that answer. If a changed answer makes new required questions reachable, the same
 * submission must answer them. What was missing before is no violation now. `changes` are the answers without fault;
 * `places` locates answers in the submission.
 */
export function lostAnswers(
  state: RespondentState,
  changes: readonly { answerKey: string; value: unknown; isChange: boolean }[],
  places: ReadonlyMap<string, string>,
  definition: SurveyDefinition,
): Violation[] {
  if (state.completedAt === null || !changes.some(({ isChange }) => isChange)) return [];
  const before = answerValues(state.answers);
  const changed = new Map(changes.map(({ answerKey, value }) => [answerKey, value]));
  const after = { get: (key: string) => (changed.has(key) ? changed.get(key) : before.get(key)) };
  return (
    newlyMissing(definition, before, after)
      // Other violations of an answer are reported at its place already.
      .filter(({ key }) => changed.has(key) || !places.has(key))
      .take(mostReported)
      .map(({ key }) => lostAnswer(key, places.get(key)))
      .toArray()
  );
}

function lostAnswer(key: string, place: string | undefined): Violation {
  if (place === undefined)
    return { path: "responses", message: `must answer ${key} too: it is required and now reached` };
  return { path: place, message: "cannot be taken back: it is required, and this respondent has completed the survey" };
}
