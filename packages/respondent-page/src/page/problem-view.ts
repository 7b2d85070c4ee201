import { brokenConstraints, missingRequired } from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import type { Submission } from "../saving/link-api.ts";
import type { Refusal } from "../saving/refusal.ts";
import type { Words } from "../words/words.ts";
import { summaryId, type Problem } from "./error-summary.tsx";
import { markRefused, problemsOn } from "./problems.ts";
import type { PagePath } from "./page-path.ts";
import { questionOf } from "./question-of.ts";
import { isAcceptable } from "./validation.ts";

interface ProblemViewParts {
  model: SurveyModel;
  path: PagePath;
  words: Words;
  language: string;
  draw: (change: { problems: Problem[]; isSending: boolean }) => void;
  open: (pageName: string) => void;
}

/**
 * Lists the problems of a page in a summary above it and moves the focus there. On a screen of one question, a single
 * problem stands at its field only, which takes the focus.
 */
export function createProblemView({ model, path, words, language, draw, open }: ProblemViewParts) {
  function show(problems = problemsOn(model)): void {
    const [first] = problems;
    const isAtField = path.byQuestion && problems.length === 1 && questionOf(model, first!.name) !== null;
    draw({ problems: isAtField ? [] : problems, isSending: false });
    if (isAtField) focusOn(first!);
    else document.getElementById(summaryId)?.focus();
  }

  function focusOn({ name }: Problem): void {
    const question = questionOf(model, name);
    if (question) {
      question.focus(true);
      focusWithin(document.getElementById(question.id));
    } else document.getElementById("questions")?.focus();
  }

  function openFaulty(key: string): boolean {
    const place = path.placed.get(key);
    if (!place) return false;
    open(place.pageName);
    model.currentPage.validate(true);
    show();
    return true;
  }

  return {
    show: () => show(),

    showRefused(body: Submission, refusal: Refusal): void {
      const pageName = markRefused(model, path, body, refusal, [words, language]);
      if (pageName) open(pageName);
      const problems = problemsOn(model);
      show(problems.length > 0 ? problems : [{ name: "questions", title: "", text: words.invalid }]);
    },

    /** Opens the first question without a required answer, after the server did not complete the respondent. */
    showMissing(): void {
      draw({ problems: [], isSending: false });
      const missing = missingRequired(path.stored, path.answers).next().value;
      if (missing) openFaulty(missing.key);
    },

    /**
     * Opens the first question whose answer is not valid, as after the browser's Forward, or whose constraint later
     * answers have broken. False if there is none.
     */
    showBroken(): boolean {
      const shown = model.visiblePages.flatMap(({ name }) => path.questionsOf(name));
      const invalid = shown.find((place) => !isAcceptable(path, place));
      const broken = invalid ?? brokenConstraints(path.stored, path.answers).next().value;
      return broken !== undefined && openFaulty(broken.key);
    },

    focusOn,
  };
}

/** SurveyJS finds no field to focus in some types. In others it moves the focus on once it has scrolled. */
function focusWithin(element: HTMLElement | null): void {
  if (!element || element.contains(document.activeElement)) return;
  element.querySelector<HTMLElement>("input, [role=combobox], [tabindex='0']")?.focus({ preventScroll: true });
}
