import { questionTypeOf } from "../catalogue.ts";
import { affectsResults } from "../change-class.ts";
import type { Question } from "../definition.ts";
import type { PlacedElement } from "../definition-index.ts";
import { type Answered, type Difference, notAnswered } from "./change.ts";
import { questionDifferences } from "./question-differences.ts";
import { nameOfQuestion } from "./wording.ts";

export function changedDifferences(
  before: PlacedElement,
  after: PlacedElement,
  move: { affectsAnswers: boolean } | undefined,
  answered: Answered,
): Difference[] {
  const { elementId, questionId } = after.question;
  const counts = answered.get(questionId) ?? notAnswered;
  const told = contentDifferences(before.question, after.question, answered);
  if (!move) return told;
  const isElsewhere = before.page.pageId !== after.page.pageId;
  const place: Difference = {
    kind: "question_moved",
    class: move.affectsAnswers ? affectsResults : "safe",
    elementId,
    affectedResponses: move.affectsAnswers ? counts.responses : 0,
    subject: questionId,
    before: placeOf(before),
    after: placeOf(after),
    message: `Moves ${nameOfQuestion(after.question)} to another ${isElsewhere ? "page" : "position"}.`,
  };
  return [place, ...told];
}

function contentDifferences(before: Question, after: Question, answered: Answered): Difference[] {
  const { elementId, questionId } = after;
  const differences = questionDifferences(before, after, answered.get(questionId) ?? notAnswered);
  return differences.map((difference) => ({
    ...difference,
    elementId,
    subject: `${questionId} ${difference.subject}`,
  }));
}

function placeOf({ page, written }: PlacedElement): object {
  return { pageId: page.pageId, sortOrder: page.elements.indexOf(written) + 1 };
}

/** A question that comes back is compared with how `former` asked it, since its answers came by that. */
export function addedDifferences(
  place: PlacedElement,
  former: Question | undefined,
  answered: Answered,
  mostResponses: number,
): Difference[] {
  const added = addedDifference(place, mostResponses);
  return former ? [added, ...contentDifferences(former, place.question, answered)] : [added];
}

/** A new question affects earlier answers only if it is required. */
function addedDifference({ question }: PlacedElement, mostResponses: number): Difference {
  const required = question.responseValidation.required || question.logic?.requiredIf !== undefined;
  return {
    kind: "question_added",
    class: required ? affectsResults : "safe",
    elementId: question.elementId,
    affectedResponses: required ? mostResponses : 0,
    subject: question.questionId,
    before: null,
    after: summary(question),
    message: `Adds ${nameOfQuestion(question)}${required ? ", which must be answered" : ""}.`,
  };
}

export function removedDifference(question: Question, answered: Answered): Difference {
  const { responses } = answered.get(question.questionId) ?? notAnswered;
  return {
    kind: "question_removed",
    class: responses > 0 ? affectsResults : "safe",
    elementId: question.elementId,
    affectedResponses: responses,
    subject: question.questionId,
    before: summary(question),
    after: null,
    message:
      responses > 0
        ? `Retires ${nameOfQuestion(question)}; its answers stay in results.`
        : `Removes ${nameOfQuestion(question)}.`,
  };
}

function summary(question: Question): object {
  return { typeName: questionTypeOf(question).typeName, text: question.text };
}
