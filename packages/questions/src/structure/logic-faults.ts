import { type Fault, faultsBelow } from "@canvass/inputs";
import { questionTypeOf } from "../catalogue.ts";
import type { Loop, Question, SkipRule, SurveyDefinition } from "../definition.ts";
import { type DefinitionIndex, indexOf, type PlacedElement } from "../definition-index.ts";

/**
 * Returns the faults of a page's loop and skip logic, with paths relative to the page. A loop needs a question with
 * several answers on an earlier page that does not repeat. A rule needs a question on this or an earlier page, an
 * operator and value that fit its type, and a later page or the end as target.
 */
export function pageLogicFaults(definition: SurveyDefinition, pageIndex: number): Fault[] {
  const { loop, skipLogic } = definition.pages[pageIndex]!;
  const index = indexOf(definition);
  return [
    ...(loop ? loopFaults(loop, pageIndex, index) : []),
    ...skipLogic.flatMap((rule, at) => faultsBelow(`skipLogic.${at}`, ruleFaults(rule, pageIndex, index))),
  ];
}

function loopFaults({ elementId }: Loop, pageIndex: number, { elements }: DefinitionIndex): Fault[] {
  const source = elements.get(elementId);
  const path = "loop.elementId";
  if (!source || source.pageIndex >= pageIndex) return [{ path, message: "must name a question on an earlier page" }];
  if (!source.type.canLoop?.(source.question)) {
    return [{ path, message: "must name a choice question that takes several answers" }];
  }
  if (source.page.loop) return [{ path, message: "must name a question on a page that does not repeat itself" }];
  return [];
}

function ruleFaults({ when, goTo }: SkipRule, pageIndex: number, index: DefinitionIndex): Fault[] {
  const asked = index.elements.get(when.elementId);
  const faults = asked && asked.pageIndex <= pageIndex ? conditionFaults(asked, when) : [notAsked];
  const target = goTo === "end" ? index.pageIndexes.size : (index.pageIndexes.get(goTo) ?? -1);
  return target > pageIndex ? faults : [...faults, { path: "goTo", message: "must name a later page, or end" }];
}

const notAsked: Fault = { path: "when.elementId", message: "must name a question on this or an earlier page" };

function conditionFaults(
  { question, type }: Pick<PlacedElement, "question" | "type">,
  { operator, value }: SkipRule["when"],
): Fault[] {
  if (!type.answerable)
    return [{ path: "when.elementId", message: `must name a question; ${type.typeName} takes no answer` }];
  const isGiven = value !== undefined && value !== null;
  if (operator === "answered" || operator === "not_answered") {
    return isGiven ? [{ path: "when.value", message: `is not taken by ${operator}` }] : [];
  }
  const check = type.conditions[operator];
  if (!check) {
    const known = ["answered", "not_answered", ...Object.keys(type.conditions)].join(", ");
    return [{ path: "when.operator", message: `does not fit ${type.typeName}; operators of it are ${known}` }];
  }
  const message = isGiven ? check(question, value) : "is required";
  return message ? [{ path: "when.value", message }] : [];
}

export function fitsCondition(question: Question, when: SkipRule["when"]): boolean {
  return conditionFaults({ question, type: questionTypeOf(question) }, when).length === 0;
}

/** Returns the logic faults that `after` has and `before` does not. Yields after each page. */
export function* newLogicFaults(before: SurveyDefinition, after: SurveyDefinition): Generator<void, Fault[]> {
  const known = indexOf(before).pageIndexes;
  const faults: Fault[] = [];
  for (const [index, { pageId }] of after.pages.entries()) {
    const found = pageLogicFaults(after, index);
    const earlier = found.length > 0 ? known.get(pageId) : undefined;
    const old = new Set(earlier === undefined ? [] : pageLogicFaults(before, earlier).map(keyOf));
    const added = found.filter((fault) => !old.has(keyOf(fault)));
    faults.push(...faultsBelow(`pages.${index}`, added));
    yield;
  }
  return faults;
}

const keyOf = ({ path, message }: Fault): string => `${path} ${message}`;
