import type { PlacedElement } from "../definition-index.ts";
import type { Answered } from "./change.ts";

type ByQuestion = ReadonlyMap<string, PlacedElement>;

/** A question that is there before and after: its place among all of them before, and how bad it is to call it moved. */
export interface Weighted {
  questionId: string;
  place: number;
  weight: number;
}

/** Questions that are called moved, by id, and whether answers are concerned. */
export type Moves = ReadonlyMap<string, { concernsAnswers: boolean }>;

/**
 * The fewest questions that stand on another page, or elsewhere among those that stay; rather those nobody answered. How
 * many does not depend on answers. An answered one concerns answers when its page is another, or another answered question
 * now comes before or after it.
 */
export function movedElements(before: ByQuestion, after: ByQuestion, answered: Answered): Moves {
  const places = new Map([...before.keys()].map((questionId, place) => [questionId, place]));
  const kept = [...after].filter(([questionId]) => places.has(questionId));
  const isAnswered = (questionId: string) => (answered.get(questionId)?.responses ?? 0) > 0;
  const samePage = kept.filter(([questionId, { page }]) => before.get(questionId)!.page.pageId === page.pageId);
  const weighted = samePage.map(([questionId]) => ({
    questionId,
    place: places.get(questionId)!,
    // All that answers add together is less than one question.
    weight: kept.length + 1 + (isAnswered(questionId) ? 1 : 0),
  }));
  const still = heaviestInOrder(weighted);
  const overtaken = outOfOrder(weighted.filter(({ questionId }) => isAnswered(questionId)));
  const stayed = new Set(samePage.map(([questionId]) => questionId));
  const moved = kept.map(([questionId]) => questionId).filter((questionId) => !still.has(questionId));
  return new Map(
    moved.map((questionId) => {
      const concernsAnswers = isAnswered(questionId) && (!stayed.has(questionId) || overtaken.has(questionId));
      return [questionId, { concernsAnswers }];
    }),
  );
}

/** The questions that stand before or after another one than they did. */
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

/**
 * The heaviest set of questions that stand in their old order, given all of them in their order now. Works in n log n:
 * a Fenwick tree holds the heaviest chain that ends at a place or before it.
 */
export function heaviestInOrder(questions: readonly Weighted[]): Set<string> {
  const size = questions.reduce((most, { place }) => Math.max(most, place + 1), 0);
  // Indexes of the chains' last questions; -1 stands for the empty chain.
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
