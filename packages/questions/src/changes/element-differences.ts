import { questionTypeOf } from "../catalogue.ts";
import { affectsResults } from "../change-class.ts";
import type { Question } from "../definition.ts";
import type { PlacedElement } from "../definition-index.ts";
import { type Answered, type Difference, notAnswered } from "./change.ts";
import { questionDifferences } from "./question-differences.ts";

/** What differs in an element that is there before and after. */
export function changedElement(
  before: PlacedElement,
  after: PlacedElement,
  isMoved: boolean,
  answered: Answered,
): Difference[] {
  const { elementId, questionId } = after.question;
  const counts = answered.get(questionId) ?? notAnswered;
  const differences = questionDifferences(before.question, after.question, counts);
  const told = differences.map((difference) => ({
    ...difference,
    elementId,
    subject: `${questionId} ${difference.subject}`,
  }));
  if (!isMoved) return told;
  const { responses } = counts;
  const move: Difference = {
    kind: "question_moved",
    class: responses > 0 ? affectsResults : "safe",
    elementId,
    affectedResponses: responses,
    subject: questionId,
    before: placeOf(before),
    after: placeOf(after),
    message: "Puts the question in another place.",
  };
  return [move, ...told];
}

function placeOf({ page, question }: PlacedElement): object {
  return { pageId: page.pageId, sortOrder: page.elements.indexOf(question) + 1 };
}

/** A new question takes nothing from what was answered, unless people can no longer finish without it. */
export function addedElement({ question }: PlacedElement, mostResponses: number): Difference {
  const { required } = question.responseValidation;
  return {
    kind: "question_added",
    class: required ? affectsResults : "safe",
    elementId: question.elementId,
    affectedResponses: required ? mostResponses : 0,
    subject: question.questionId,
    before: null,
    after: summary(question),
    message: required ? "Adds a question that must be answered." : "Adds a question.",
  };
}

/** A question that left the draft is retired when it was answered. */
export function removedElement(question: Question, answered: Answered): Difference {
  const { responses } = answered.get(question.questionId) ?? notAnswered;
  return {
    kind: "question_removed",
    class: responses > 0 ? affectsResults : "safe",
    elementId: question.elementId,
    affectedResponses: responses,
    subject: question.questionId,
    before: summary(question),
    after: null,
    message: responses > 0 ? "Retires the question; its answers stay in results." : "Takes the question away.",
  };
}

function summary(question: Question): object {
  return { typeName: questionTypeOf(question).typeName, text: question.text };
}
