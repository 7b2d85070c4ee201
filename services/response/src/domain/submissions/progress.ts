import { answerKey, reachablePages, type SurveyDefinition } from "@canvass/questions";
import type { RespondentState } from "../respondents/respondent-state.ts";

/** Needs all answers of the respondent. */
export function percentComplete(definition: SurveyDefinition, answers: RespondentState["answers"]): number {
  let reachable = 0;
  let answered = 0;
  for (const { shown, itemId } of reachablePages(definition, answerValues(answers))) {
    for (const { question, type } of shown) {
      if (!type.answerable) continue;
      reachable += 1;
      if (answers.has(answerKey(question.elementId, itemId))) answered += 1;
    }
  }
  return reachable === 0 ? 100 : Math.floor((100 * answered) / reachable);
}

export function answerValues(answers: RespondentState["answers"]): { get(key: string): unknown } {
  return { get: (key) => answers.get(key)?.value };
}
