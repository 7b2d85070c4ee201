import type { PlacedElement } from "../definition-index.ts";
import type { Answered } from "./change.ts";

type ByQuestion = ReadonlyMap<string, PlacedElement>;

/** A question in both versions: its old position, and the cost of counting it as moved. */
export interface Weighted {
  questionId: string;
  place: number;
  weight: number;
}

/** By questionId. `affectsAnswers`: an answered question changed its page, or its order relative to another answered question. */
export type Moves = ReadonlyMap<string, { affectsAnswers: boolean }>;

/** Returns the fewest moves that explain the new order, preferably of unanswered questions. A new page is a move. */
export function movedElements(before: ByQuestion, after: ByQuestion, answered: Answered): Moves {
  const places = new Map([...before.keys()].map((questionId, place) => [questionId, place]));
  const kept = [...after].filter(([questionId]) => places.has(questionId));
  const isAnswered = (questionId: string) => (answered.get(questionId)?.responses ?? 0) > 0;
  const samePage = kept.filter(([questionId, { page }]) => before.get(questionId)!.page.pageId === page.pageId);
  const weighted = samePage.map(([questionId]) => ({
    questionId,
    place: places.get(questionId)!,
    // The bonuses of all answered questions together weigh less than one question.
    weight: kept.length + 1 + (isAnswered(questionId) ? 1 : 0),
  }));
  const still = heaviestIncreasingSubset(weighted);
  const overtaken = outOfOrder(weighted.filter(({ questionId }) => isAnswered(questionId)));
  const stayed = new Set(samePage.map(([questionId]) => questionId));
  const moved = kept.map(([questionId]) => questionId).filter((questionId) => !still.has(questionId));
  return new Map(
    moved.map((questionId) => {
      const affectsAnswers = isAnswered(questionId) && (!stayed.has(questionId) || overtaken.has(questionId));
      return [questionId, { affectsAnswers }];
    }),
  );
}

/** Returns the questions whose order relative to any other one changed. */
function outOfOrder(questions: readonly Weighted[]): Set<string> {
  const found = new Set<string>();
  const search = (list: readonly Weighted[], isBehind: (place: number, furthest: number) => boolean) => {
    let furthest = list[0]?.place ?? 0;
    for (const { questionId, place } of list) {
      if (isBehind(place, furthest)) found.add(questionId);
      else furthest = place;
    }
  };
  search(questions, (place, furthest) => place < furthest);
  search(questions.toReversed(), (place, furthest) => place > furthest);
  return found;
}

/** Returns the heaviest subset in the old order. A Fenwick tree holds the heaviest chain up to each old position. */
export function heaviestIncreasingSubset(questions: readonly Weighted[]): Set<string> {
  const size = questions.reduce((most, { place }) => Math.max(most, place + 1), 0);
  // Index of the last question of each chain; -1 is the empty chain.
  const heaviest = Array.from({ length: size + 1 }, () => -1);
  const weightTo: number[] = [];
  const previous: number[] = [];
  const weightAt = (index: number) => (index === -1 ? 0 : weightTo[index]!);
  const heavier = (one: number, other: number) => (weightAt(other) > weightAt(one) ? other : one);
  for (const [index, { place, weight }] of questions.entries()) {
    let best = -1;
    for (let at = place; at > 0; at -= at & -at) best = heavier(best, heaviest[at]!);
    previous.push(best);
    weightTo.push(weightAt(best) + weight);
    for (let at = place + 1; at <= size; at += at & -at) heaviest[at] = heavier(heaviest[at]!, index);
  }
  const chosen = new Set<string>();
  let last = questions.map((_, index) => index).reduce(heavier, -1);
  for (; last !== -1; last = previous[last]!) chosen.add(questions[last]!.questionId);
  return chosen;
}
