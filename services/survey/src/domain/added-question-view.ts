import { questionTypeOf, type Question } from "@canvass/questions";
import { choiceView, columnView, logicView } from "./element-view.ts";

export function addedQuestionView(question: Question, pageId: string): object {
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
