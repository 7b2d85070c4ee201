import { keepWalk, type Answers, hiddenEntriesLookup, type SurveyDefinition } from "@canvass/questions";
import { isLanguageTag } from "@canvass/values";
import type { CurrentAnswer, RespondentState } from "../respondents/respondent-state.ts";
import type { SubmissionBody } from "./submission.ts";

export interface Known extends Pick<RespondentState, "fields" | "language"> {
  answers: ReadonlyMap<string, Pick<CurrentAnswer, "value">>;
}

/** What is known of a respondent, as the logic takes it. */
export function answerValues({ answers, fields, language }: Known): Answers {
  return { get: (key) => answers.get(key)?.value, context: { fields, language } };
}

type Accepted = readonly { answerKey: string; value: unknown }[];

/** One for each submission, so that its path is walked once. */
const views = new WeakMap<Accepted, Answers>();

/** What is known of a respondent as a submission would leave it. `accepted` must not change afterwards. */
export function answersAfter(
  state: RespondentState,
  accepted: Accepted,
  body: Pick<SubmissionBody, "metadata">,
): Answers {
  const known = views.get(accepted);
  if (known) return known;
  const before = answerValues({ ...state, language: languageAfter(state, body) });
  const given = new Map(accepted.map(({ answerKey, value }) => [answerKey, value]));
  const after = keepWalk({ ...before, get: (key) => (given.has(key) ? given.get(key) : before.get(key)) });
  views.set(accepted, after);
  return after;
}

/** Ignores a `metadata.language` that is no language tag, because callers may put anything there. */
export function languageAfter(
  { language: stored }: RespondentState,
  { metadata }: Pick<SubmissionBody, "metadata">,
): string {
  const language = metadata?.["language"];
  return typeof language === "string" && isLanguageTag(language) ? language : stored;
}

/**
 * Returns a function that finds the choices and rows of a question that are not shown once a submission is stored, even
 * if an answer of it is invalid. Walks the survey once, at its first use. `state` must hold all answers.
 */
export function hiddenEntriesAfter(state: RespondentState, body: SubmissionBody, definition: SurveyDefinition) {
  let hidden: ReturnType<typeof hiddenEntriesLookup> | undefined;
  return (answerKey: string): ReadonlySet<string> | undefined => {
    hidden ??= hiddenEntriesLookup(definition, answersAfter(state, givenAnswers(body), body));
    return hidden(answerKey);
  };
}

function givenAnswers({ responses }: SubmissionBody) {
  const given = responses.filter((answer) => answer !== null && answer.value !== undefined);
  return given.map((answer) => ({ answerKey: answer!.elementId, value: answer!.value }));
}
