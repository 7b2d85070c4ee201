import { keepWalk, type Answers } from "@canvass/questions";
import { isLanguageTag } from "@canvass/values";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { answerValues } from "./progress.ts";
import type { SubmissionBody } from "./submission.ts";

type Accepted = readonly { answerKey: string; value: unknown }[];

/** One for each submission, so that the way of its answers is walked once. */
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

/** `metadata.language` is the caller's to fill, so that anything but a language tag is left alone. */
export function languageAfter(
  { language: stored }: RespondentState,
  { metadata }: Pick<SubmissionBody, "metadata">,
): string {
  const language = metadata?.["language"];
  return typeof language === "string" && isLanguageTag(language) ? language : stored;
}
