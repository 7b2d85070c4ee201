import type { Answers } from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { answerValues } from "./progress.ts";

/** A respondent's answers as a submission would leave them. */
export function answersAfter(
  { answers }: RespondentState,
  accepted: readonly { answerKey: string; value: unknown }[],
): Answers {
  const before = answerValues(answers);
  const given = new Map(accepted.map(({ answerKey, value }) => [answerKey, value]));
  return { get: (key) => (given.has(key) ? given.get(key) : before.get(key)) };
}
