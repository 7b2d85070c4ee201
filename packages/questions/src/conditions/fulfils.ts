import { ownValue } from "@canvass/values";
import { parseAnswerKey } from "../answer-key.ts";
import type { SurveyDefinition } from "../definition.ts";
import { type DefinitionIndex, indexOf } from "../definition-index.ts";
import type { RespondentContext } from "../respondent-context.ts";
import { nothingHidden, type Walk } from "../walk.ts";
import type { Condition } from "./condition.ts";
import { conditionHolds, type Scope } from "./evaluate.ts";

/** A respondent's answers by answer key, as JSON was read, and what else is known of it. */
export interface GivenAnswers {
  answers: Readonly<Record<string, unknown>>;
  context: RespondentContext;
}

/**
 * Whether the given answers fulfil a condition, wherever its questions stand. Unlike `conditionEvaluator` it takes the
 * answers as they are: which of them count was decided when they were stored, and only those that the condition asks
 * are needed. A comparison about a question that the definition lacks does not hold.
 */
export function fulfils(
  definition: SurveyDefinition,
  condition: Condition,
  { answers, context }: GivenAnswers,
): boolean {
  const index = indexOf(definition);
  const { pages } = definition;
  const walk: Walk = {
    index,
    pages,
    answers: { get: (key: string) => ownValue(answers, key), context },
    position: pages.length,
    visits: [],
    visited: itemsAnswered(definition, index, answers),
    hiddenOf: () => nothingHidden,
    compared: new Map(),
    decided: new Map(),
  };
  return conditionHolds(walk, condition, behindAll);
}

const behindAll: Scope = { position: Number.POSITIVE_INFINITY, itemId: null, before: Number.POSITIVE_INFINITY };
const once: readonly null[] = [null];

/** Returns by page the items for which any of its questions is answered. */
function itemsAnswered(
  { pages }: SurveyDefinition,
  { elements }: DefinitionIndex,
  answers: GivenAnswers["answers"],
): (readonly (string | null)[])[] {
  if (pages.every(({ loop }) => loop === null)) return pages.map(() => once);
  const items = pages.map(({ loop }) => (loop === null ? new Set<string | null>(once) : new Set<string | null>()));
  for (const key of Object.keys(answers)) {
    const { elementId, itemId } = parseAnswerKey(key);
    const element = elements.get(elementId);
    if (element && itemId !== null) items[element.pageIndex]!.add(itemId);
  }
  return items.map((each) => [...each]);
}
