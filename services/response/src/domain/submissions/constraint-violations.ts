import type { Violation } from "@canvass/inputs";
import {
  answerKey,
  brokenConstraints,
  findAnswerPlace,
  hasConstraints,
  parseAnswerKey,
  type BrokenConstraint,
  type SurveyDefinition,
} from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { answersAfter, answerValues } from "./known-answers.ts";
import { completes } from "./needed-answers.ts";
import type { SubmissionBody } from "./submission.ts";
import type { Wording } from "./wording.ts";

const mostReported = 100;

interface Answered {
  accepted: readonly { answerKey: string; value: unknown; isChange: boolean }[];
  /** Paths of all answers in the body, by key. */
  places: ReadonlyMap<string, string>;
}

/**
 * Constraints that a submission breaks (contract 6.9): those of the questions that it answers, of answered ones beside
 * them on a page, and of all questions that are shown once it completes. What was broken in a completed respondent may
 * stay. `state` must hold all answers. Their messages are worded by `wording`.
 */
export function constraintViolations(
  state: RespondentState,
  body: SubmissionBody,
  { accepted, places }: Answered,
  definition: SurveyDefinition,
  wording: Pick<Wording, "ofConstraint">,
): Violation[] {
  if (!hasConstraints(definition)) return [];
  const after = answersAfter(state, accepted, body);
  const isSettled = state.completedAt !== null;
  const isChanged = accepted.some(({ isChange }) => isChange);
  if (isSettled && !isChanged) return [];
  const isFinal = isSettled || completes(body, after, definition);
  if (!isFinal && !isChanged) return [];
  const known = isSettled ? new Set(brokenConstraints(definition, answerValues(state)).map(placeOf)) : null;
  const refused = refusedElements(accepted, places);
  const answered = [...places.keys()].flatMap((key) => findAnswerPlace(definition, key) ?? []);
  const visits = new Set(answered.map(({ page, itemId }) => answerKey(page.pageId, itemId)));
  const isTouched = ({ key, pageId, itemId }: BrokenConstraint) =>
    places.has(key) || (visits.has(answerKey(pageId, itemId)) && (after.get(key) ?? null) !== null);
  return brokenConstraints(definition, after, isFinal ? undefined : visits)
    .filter((broken) => (isFinal || isTouched(broken)) && !known?.has(placeOf(broken)))
    .filter(({ asks }) => ![...asks].some((elementId) => refused.has(elementId)))
    .take(mostReported)
    .map(({ key, elementId, at, message: own }): Violation => {
      const message = wording.ofConstraint(elementId, at, own);
      const path = places.get(key);
      return path === undefined
        ? { path: "responses", message: `the answer to ${key} is no longer valid: ${message}` }
        : { path: `${path}.value`, message };
    })
    .toArray();
}

const placeOf = ({ key, at }: BrokenConstraint) => `${key} ${at}`;

/** Other violations of an answer are reported already. */
function refusedElements(accepted: Answered["accepted"], places: Answered["places"]): Set<string> {
  const sound = new Set(accepted.map(({ answerKey }) => answerKey));
  return new Set([...places.keys()].filter((key) => !sound.has(key)).map((key) => parseAnswerKey(key).elementId));
}
