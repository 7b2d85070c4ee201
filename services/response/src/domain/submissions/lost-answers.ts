import type { Fault } from "@canvass/inputs";
import { newlyMissing, type SurveyDefinition } from "@canvass/questions";
import { answerValues } from "./progress.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";

const mostReported = 100;

/**
 * Faults for what a completed respondent must keep: an answer to every required question it can reach. Taking one back
 * is a fault of that answer. Where a changed answer leads to required questions that were out of reach before, the same
 * submission must answer them. What was missing before is nobody's fault now.
 *
 * `changes` are the answers without fault; `places` says where the submission names which answer.
 */
export function lostAnswers(
  state: RespondentState,
  changes: readonly { answerKey: string; value: unknown; isChange: boolean }[],
  places: ReadonlyMap<string, string>,
  definition: SurveyDefinition,
): Fault[] {
  if (state.completedAt === null || !changes.some(({ isChange }) => isChange)) return [];
  const before = answerValues(state.answers);
  const changed = new Map(changes.map(({ answerKey, value }) => [answerKey, value]));
  const after = { get: (key: string) => (changed.has(key) ? changed.get(key) : before.get(key)) };
  return (
    newlyMissing(definition, before, after)
      // Whatever else is wrong with an answer is told at its place already.
      .filter(({ key }) => changed.has(key) || !places.has(key))
      .take(mostReported)
      .map(({ key }) => lostAnswer(key, places.get(key)))
      .toArray()
  );
}

function lostAnswer(key: string, place: string | undefined): Fault {
  if (place === undefined)
    return { path: "responses", message: `must answer ${key} too: it is required and now reached` };
  return { path: place, message: "cannot be taken back: it is required, and this respondent has completed the survey" };
}
