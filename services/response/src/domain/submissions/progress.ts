import { keepWalk, reachablePages, shownKeyPredicate, type SurveyDefinition, type Visit } from "@canvass/questions";
import { answerValues, type Known } from "./known-answers.ts";

/** Needs all answers of the respondent. There may be millions of visited questions. */
export function percentComplete(definition: SurveyDefinition, state: Known): number {
  const answers = keepWalk(answerValues(state));
  // Visits of a page without conditions share one list.
  const answerable = new Map<Visit["shown"], number>();
  let reachable = 0;
  for (const { shown } of reachablePages(definition, answers)) {
    const count = answerable.get(shown) ?? shown.filter(({ type }) => type.answerable).length;
    answerable.set(shown, count);
    reachable += count;
  }
  const isShown = shownKeyPredicate(definition, answers);
  const answered = [...state.answers.keys()].filter(isShown).length;
  return reachable === 0 ? 100 : Math.floor((100 * answered) / reachable);
}
