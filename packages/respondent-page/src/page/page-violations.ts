import { missingRequired } from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import type { Submission } from "../saving/link-api.ts";
import type { Refusal } from "../saving/refusal.ts";
import type { Words } from "../words/words.ts";
import { summaryId, type Problem } from "./error-summary.tsx";
import { markRefused, problemsOn, questionOf } from "./problems.ts";
import type { Way } from "./way.ts";

interface ViolationParts {
  model: SurveyModel;
  way: Way;
  words: Words;
  language: string;
  draw: (change: { problems: Problem[]; isSending: boolean }) => void;
  open: (pageName: string) => void;
}

/** Lists the problems of a page in a summary above it and moves the focus there. */
export function pageViolations({ model, way, words, language, draw, open }: ViolationParts) {
  function show(problems = problemsOn(model)): void {
    draw({ problems, isSending: false });
    document.getElementById(summaryId)?.focus();
  }

  return {
    show: () => show(),

    showRefused(body: Submission, refusal: Refusal): void {
      const pageName = markRefused(model, way, body, refusal, [words, language]);
      if (pageName) open(pageName);
      const problems = problemsOn(model);
      show(problems.length > 0 ? problems : [{ name: "questions", title: "", text: words.invalid }]);
    },

    /** Opens the first question whose required answer the server lacks, although this page had it. */
    showMissing(): void {
      draw({ problems: [], isSending: false });
      const missing = missingRequired(way.stored, way.answers).next().value;
      const place = missing && way.placed.get(missing.key);
      if (!place) return;
      open(place.pageName);
      model.currentPage.validate(true);
      show();
    },

    focusOn({ name }: Problem): void {
      const question = questionOf(model, name);
      if (question) question.focus(true);
      else document.getElementById("questions")?.focus();
    },
  };
}
