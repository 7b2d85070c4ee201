import { mapInSlices } from "@canvass/fairness";
import { type Question, questionTypeOf } from "@canvass/questions";
import type { Placement } from "../domain/place-questions.ts";
import { choiceView, columnView, logicView } from "../domain/element-view.ts";

/** Renders added questions as a JSON array, to spare the gateway: there may be 70,000 choices. */
export async function renderAddedQuestions(questions: readonly Question[], placements: readonly Placement[]) {
  const views = await mapInSlices(questions, (question, at) =>
    JSON.stringify(addedQuestionView(question, placements[at]!.pageId)),
  );
  return `[${views.join(",")}]`;
}

function addedQuestionView(question: Question, pageId: string): object {
  const { elementId, questionId, name = null, type, text, choices, rows, columns, logic } = question;
  return {
    elementId,
    questionId,
    name,
    pageId,
    type,
    typeName: questionTypeOf(question).typeName,
    text: text ?? "",
    ...(choices && { choices: choices.map((choice) => choiceView(choice, logic)) }),
    ...(rows && { rows: rows.map((row) => choiceView(row, logic)) }),
    ...(columns && { columns: columns.map(columnView) }),
    ...logicView(logic),
  };
}
