import type { Condition } from "./conditions/condition.ts";
import { askedElements } from "./conditions/tree.ts";
import type { Page, SurveyDefinition } from "./definition.ts";
import { findAnswerPlace, findElement, indexOf, isAlwaysShown, type PlacedElement } from "./definition-index.ts";

/** Elements that conditions depend on. */
interface Asked {
  /** By element: for whether it and its choices and rows are shown. */
  shown: ReadonlyMap<PlacedElement, readonly PlacedElement[]>;
  /** By element: the elements that decide whether its answer is valid. Elements that accept any answer are left out. */
  valid: ReadonlyMap<PlacedElement, readonly PlacedElement[]>;
  /** By page: for whether its skip rules apply. */
  skips: readonly (readonly PlacedElement[])[];
  /** Results of `judgingPage` so far, by page. */
  judging: Map<number, string[] | null>;
}

const known = new WeakMap<SurveyDefinition, Asked>();

/**
 * Returns the ids of the elements that decide whether answers are valid, before the respondent completes: what the
 * conditions of their pages ask, and what decides whether that is shown. Null if any may, because a page repeats.
 */
export function judgingElements(definition: SurveyDefinition, answerKeys: Iterable<string>): string[] | null {
  const { judging } = askedIn(definition);
  const pages = new Set(Array.from(answerKeys, (key) => findAnswerPlace(definition, key)?.pageIndex));
  const found = new Set<string>();
  for (const pageIndex of pages) {
    if (pageIndex === undefined) continue;
    if (!judging.has(pageIndex)) judging.set(pageIndex, judgingPage(definition, pageIndex));
    const elementIds = judging.get(pageIndex) ?? null;
    if (elementIds === null) return null;
    elementIds.forEach((elementId) => found.add(elementId));
  }
  return [...found];
}

function judgingPage(definition: SurveyDefinition, pageIndex: number): string[] | null {
  if (definition.pages[pageIndex]!.loop) return null;
  const { shown, valid, skips } = askedIn(definition);
  const found = new Set<PlacedElement>();
  const add = (elements: readonly PlacedElement[]) => elements.forEach((element) => found.add(element));
  for (const element of indexOf(definition).placed[pageIndex]!) {
    if (valid.has(element)) add([element, ...valid.get(element)!]);
  }
  let skipsUpTo = 0;
  // The set grows while it is read.
  for (const element of found) {
    if (element.page.loop) return null;
    add(shown.get(element)!);
    while (skipsUpTo < element.pageIndex) add(skips[skipsUpTo++]!);
  }
  return Array.from(found, ({ question }) => question.elementId);
}

function askedIn(definition: SurveyDefinition): Asked {
  const asked = known.get(definition) ?? findAsked(definition);
  known.set(definition, asked);
  return asked;
}

function findAsked(definition: SurveyDefinition): Asked {
  const { placed } = indexOf(definition);
  const askedBy = (...conditions: (Condition | undefined)[]): PlacedElement[] => {
    const ids = new Set(conditions.flatMap((condition) => (condition ? [...askedElements(condition)] : [])));
    return Array.from(ids, (elementId) => findElement(definition, elementId)).filter(
      (element) => element !== undefined,
    );
  };
  const sourceOf = (elementId: string | undefined) => {
    const source = elementId === undefined ? undefined : findElement(definition, elementId);
    return source ? [source] : [];
  };
  const shown = ({ page, question: { logic = {} } }: PlacedElement) => [
    ...askedBy(page.showIf, logic.showIf, ...Object.values(logic.entries ?? {})),
    ...sourceOf(logic.choicesFrom?.elementId),
  ];
  const valid = ({ question: { logic } }: PlacedElement) =>
    askedBy(...(logic?.constraints ?? []).map(({ must }) => must));
  const skips = ({ showIf, skipLogic, loop }: Page, elements: readonly PlacedElement[]) => {
    if (skipLogic.length === 0) return [];
    // A page of which nothing is shown is left out with its rules.
    const deciding = elements.some(isAlwaysShown) ? [] : elements;
    return [...askedBy(showIf, ...skipLogic.map(({ when }) => when)), ...deciding, ...sourceOf(loop?.elementId)];
  };
  const all = placed.flat();
  return {
    shown: new Map(all.map((element) => [element, shown(element)])),
    valid: new Map(all.filter(isJudged).map((element) => [element, valid(element)])),
    skips: definition.pages.map((page, at) => skips(page, placed[at]!)),
    judging: new Map(),
  };
}

const isJudged = ({ question, entries }: PlacedElement): boolean => Boolean(question.logic?.constraints ?? entries);
