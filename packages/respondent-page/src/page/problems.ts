import { CustomError, type Question, type SurveyModel } from "survey-core";
import type { Refusal, Submission } from "../saving/link-api.ts";
import type { Words } from "../words/words.ts";
import type { Problem } from "./error-summary.tsx";
import { wordsFor } from "./judge.ts";
import type { Way } from "./way.ts";

/** The questions of the open page with faults. */
export function problemsOn(model: SurveyModel): Problem[] {
  return model.currentPage.questions
    .filter((question: Question) => question.isVisible && question.errors.length > 0)
    .map((question: Question) => ({
      name: question.name,
      title: question.title,
      text: question.errors[0]!.getText(),
    }));
}

/** Shows what the server refuses at its questions. Returns the page to open, if one of them is drawn. */
export function showRefused(
  model: SurveyModel,
  way: Way,
  { responses }: Submission,
  refusal: Refusal,
  [words, language]: [Words, string],
): string | undefined {
  let pageName: string | undefined;
  for (const [path, messages] of Object.entries(refusal.details)) {
    const [list, index, , ...rest] = path.split(".");
    const key = list === "responses" ? responses[Number(index)]?.elementId : undefined;
    const place = key === undefined ? undefined : way.placed.get(key);
    const drawn = key === undefined ? null : questionOf(model, key);
    if (!place || !drawn) continue;
    const message = Array.isArray(messages) ? String(messages[0]) : refusal.message;
    drawn.addError(new CustomError(wordsFor(message, rest.length > 0, words, language)));
    pageName ??= place.pageName;
  }
  return pageName;
}

/** A question, or the first field of one that is drawn as a panel. */
export function questionOf(model: SurveyModel, key: string): Question | null {
  return model.getQuestionByName(key) ?? model.getAllQuestions().find(({ name }) => name.startsWith(`${key}~`)) ?? null;
}
