import { keepWalk, type Answers } from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";
import { answerValues } from "./progress.ts";

type Accepted = readonly { answerKey: string; value: unknown }[];

/** One for each submission, so that the way of its answers is walked once. */
const views = new WeakMap<Accepted, Answers>();

/** A respondent's answers as a submission would leave them. `accepted` must not change afterwards. */
export function answersAfter({ answers }: RespondentState, accepted: Accepted): Answers {
  const known = views.get(accepted);
  if (known) return known;
  const before = answerValues(answers);
  const given = new Map(accepted.map(({ answerKey, value }) => [answerKey, value]));
  const after = keepWalk({ get: (key) => (given.has(key) ? given.get(key) : before.get(key)) });
  views.set(accepted, after);
  return after;
}
