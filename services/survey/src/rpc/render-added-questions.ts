import type { Question } from "@canvass/questions";
import { mapInTurns } from "@canvass/telemetry";
import { addedQuestionView } from "../domain/added-question-view.ts";
import type { Placement } from "../domain/place-questions.ts";

/** Renders added questions as a JSON array, to spare the gateway: there may be 70,000 choices. */
export async function renderAddedQuestions(questions: readonly Question[], placements: readonly Placement[]) {
  const views = await mapInTurns(questions, (question, at) =>
    JSON.stringify(addedQuestionView(question, placements[at]!.pageId)),
  );
  return `[${views.join(",")}]`;
}
