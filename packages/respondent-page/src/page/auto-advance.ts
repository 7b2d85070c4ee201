import type { QuestionRadiogroupModel, SurveyModel } from "survey-core";
import { keyOfName } from "../mapping/mapped-type.ts";
import { mappedTypeOf } from "../mapping/mapped-types.ts";
import type { PagePath } from "./page-path.ts";

const pauseMs = 350;

/** Opens the next page when a press answers its only question. Keys do not: arrows select each choice they pass. */
export function autoAdvance(
  { root, ended }: { root: HTMLElement; ended: AbortSignal },
  model: SurveyModel,
  path: PagePath,
  next: () => void,
): void {
  let isPressed = false;
  let pause: ReturnType<typeof setTimeout> | undefined;
  root.addEventListener("pointerdown", () => (isPressed = true), { signal: ended });
  root.addEventListener("keydown", () => (isPressed = false), { signal: ended });
  ended.addEventListener("abort", () => clearTimeout(pause));
  model.onCurrentPageChanged.add(() => clearTimeout(pause));
  model.onValueChanged.add((_, { name }) => {
    const place = path.placed.get(keyOfName(name));
    clearTimeout(pause);
    if (!place || name !== place.key || !isPressed || model.isLastPage) return;
    if (!path.answers.has(place.key)) return;
    const { question, pageName } = place;
    const drawn = model.getQuestionByName(name) as QuestionRadiogroupModel | undefined;
    const takesText = drawn?.showCommentArea || drawn?.selectedItem?.showCommentArea;
    const isOne = path.questionsOf(pageName).length === 1 && model.currentPage.name === pageName;
    if (isOne && mappedTypeOf(question)?.isOnePress && !question.settings["multipleAnswers"] && !takesText)
      pause = setTimeout(next, pauseMs);
  });
}
