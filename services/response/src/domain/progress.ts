import { answerKey, missingRequired, reachablePages, questionTypeOf, type SurveyDefinition } from "@canvass/questions";
import type { RespondentState } from "./respondent-state.ts";

export interface Progress {
  /** Answered share of the questions the respondent can reach, 0 to 100. */
  percentComplete: number;
  /** Every required question that can be reached is answered. */
  isComplete: boolean;
}

/** How far a respondent is with the answers it has given. */
export function progressOf(definition: SurveyDefinition, { answers }: RespondentState): Progress {
  const values = answerValues(answers);
  let reachable = 0;
  let answered = 0;
  for (const { page, itemId } of reachablePages(definition, values)) {
    for (const question of page.elements) {
      if (!questionTypeOf(question).answerable) continue;
      reachable += 1;
      if (answers.has(answerKey(question.elementId, itemId))) answered += 1;
    }
  }
  return {
    percentComplete: reachable === 0 ? 100 : Math.floor((100 * answered) / reachable),
    isComplete: missingRequired(definition, values).length === 0,
  };
}

/** The standing answers' values by answer key, as the survey's logic reads them. */
export function answerValues(answers: RespondentState["answers"]): { get(key: string): unknown } {
  return { get: (key) => answers.get(key)?.value };
}
