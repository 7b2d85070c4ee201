import { answerKey, reachablePages, type Answers, type SurveyDefinition } from "@canvass/questions";
import type { CurrentAnswer, RespondentState } from "../respondents/respondent-state.ts";

/** Needs all answers of the respondent. */
export function percentComplete(definition: SurveyDefinition, state: Known): number {
  let reachable = 0;
  let answered = 0;
  for (const { shown, itemId } of reachablePages(definition, answerValues(state))) {
    for (const { question, type } of shown) {
      if (!type.answerable) continue;
      reachable += 1;
      if (state.answers.has(answerKey(question.elementId, itemId))) answered += 1;
    }
  }
  return reachable === 0 ? 100 : Math.floor((100 * answered) / reachable);
}

interface Known extends Pick<RespondentState, "fields" | "language"> {
  answers: ReadonlyMap<string, Pick<CurrentAnswer, "value">>;
}

/** What is known of a respondent, as the logic takes it. */
export function answerValues({ answers, fields, language }: Known): Answers {
  return { get: (key) => answers.get(key)?.value, context: { fields, language } };
}
