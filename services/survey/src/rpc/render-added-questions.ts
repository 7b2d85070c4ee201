import { mapInSlices } from "@canvass/fairness";
import type { Question } from "@canvass/questions";
import { addedQuestionView } from "../domain/added-question-view.ts";
import type { Placement } from "../domain/place-questions.ts";

/** Renders added questions as a JSON array, to spare the gateway: there may be 70,000 choices. */
export async function renderAddedQuestions(questions: readonly Question[], placements: readonly Placement[]) {
  const views = await mapInSlices(questions, (question, at) =>
    JSON.stringify(addedQuestionView(question, placements[at]!.pageId)),
  );
  return `[${views.join(",")}]`;
}
