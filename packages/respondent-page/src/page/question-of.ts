import type { Question, SurveyModel } from "survey-core";

/** The drawn question of an answer key, or the first of its parts. */
export function questionOf(model: SurveyModel, key: string): Question | null {
  return model.getQuestionByName(key) ?? model.getAllQuestions().find(({ name }) => name.startsWith(`${key}~`)) ?? null;
}
