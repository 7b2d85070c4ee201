import type { Violation } from "@canvass/inputs";
import { newlyMissing, type SurveyDefinition } from "@canvass/questions";
import { answersAfter } from "./answers-after.ts";
import { answerValues } from "./progress.ts";
import type { RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

const mostReported = 100;

/** A completed respondent must answer every required question in reach, unless its answer was missing before. */
export function lostAnswers(
  state: RespondentState,
  body: Pick<SubmissionBody, "metadata">,
  changes: readonly { answerKey: string; value: unknown; isChange: boolean }[],
  places: ReadonlyMap<string, string>,
  definition: SurveyDefinition,
): Violation[] {
  if (state.completedAt === null || !changes.some(({ isChange }) => isChange)) return [];
  const before = answerValues(state);
  const after = answersAfter(state, changes, body);
  const changed = new Set(changes.map(({ answerKey }) => answerKey));
  return (
    newlyMissing(definition, before, after)
      // Other violations of an answer are reported already.
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
