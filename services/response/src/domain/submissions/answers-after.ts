import type { Answers } from "@canvass/questions";
import { isLanguageTag } from "@canvass/values";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { answerValues } from "./progress.ts";
import type { SubmissionBody } from "./submission.ts";

/** What is known of a respondent as a submission would leave it. */
export function answersAfter(
  state: RespondentState,
  accepted: readonly { answerKey: string; value: unknown }[],
  body: Pick<SubmissionBody, "metadata">,
): Answers {
  const before = answerValues({ ...state, language: languageAfter(state, body) });
  const given = new Map(accepted.map(({ answerKey, value }) => [answerKey, value]));
  return { ...before, get: (key) => (given.has(key) ? given.get(key) : before.get(key)) };
}

/** `metadata.language` is the caller's to fill, so that anything but a language tag is left alone. */
export function languageAfter(
  { language: stored }: RespondentState,
  { metadata }: Pick<SubmissionBody, "metadata">,
): string {
  const language = metadata?.["language"];
  return typeof language === "string" && isLanguageTag(language) ? language : stored;
}
