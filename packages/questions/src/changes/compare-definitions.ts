import type { SurveyDefinition } from "../definition.ts";
import { indexOf, type PlacedElement } from "../definition-index.ts";
import { finish } from "../finish.ts";
import type { Answered, Change, Difference, FormerQuestions } from "./change.ts";
import { fieldDifferences } from "./field-differences.ts";
import { addedDifferences, changedDifferences, removedDifference } from "./element-differences.ts";
import { movedElements } from "./moved-elements.ts";
import { quotaDifferences } from "./quota-differences.ts";
import { pageDifferences } from "./page-differences.ts";

export type HashText = (text: string) => string;

/**
 * Returns each difference of the draft, with its class and the affected answers: of questions in the draft's order, of
 * removed questions, then of pages, fields and quotas.
 */
export function compareDefinitions(
  base: SurveyDefinition,
  draft: SurveyDefinition,
  answered: Answered,
  hash: HashText,
  former?: FormerQuestions,
): Change[] {
  return finish(comparingDefinitions(base, draft, answered, hash, former));
}

/** Like `compareDefinitions`, but yields after each question and page. */
export function* comparingDefinitions(
  base: SurveyDefinition,
  draft: SurveyDefinition,
  answered: Answered,
  hash: HashText,
  former: FormerQuestions = new Map(),
): Generator<void, Change[]> {
  const changes: Change[] = [];
  const add = (differences: readonly Difference[]) => {
    for (const difference of differences) changes.push(withChangeId(difference, hash));
  };
  const published = byQuestion(base);
  const present = byQuestion(draft);
  const moved = movedElements(published, present, answered);
  const mostResponses = [...answered.values()].reduce((most, { responses }) => Math.max(most, responses), 0);
  for (const [questionId, place] of present) {
    const old = published.get(questionId);
    if (old) add(changedDifferences(old, place, moved.get(questionId), answered));
    else add(addedDifferences(place, former.get(questionId), answered, mostResponses));
    published.delete(questionId);
    yield;
  }
  for (const { question } of published.values()) {
    add([removedDifference(question, answered)]);
    yield;
  }
  for (const differences of pageDifferences(base, draft, answered)) {
    add(differences);
    yield;
  }
  add(fieldDifferences(base.fields, draft.fields, mostResponses));
  add(quotaDifferences(base.quotas, draft.quotas));
  return changes;
}

function byQuestion(definition: SurveyDefinition): Map<string, PlacedElement> {
  return new Map([...indexOf(definition).elements.values()].map((place) => [place.question.questionId, place]));
}

function withChangeId({ subject, ...difference }: Difference, hash: HashText): Change {
  const { kind, before, after } = difference;
  return { changeId: hash(JSON.stringify([kind, subject, before, after])), ...difference };
}
